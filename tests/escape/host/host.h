// The parts of escape-host, see main.c.
#ifndef CORDON_ESCAPE_HOST_H
#define CORDON_ESCAPE_HOST_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Who owns the fixture, so that ordinary permissions never explain why a probe had no effect.
extern uid_t owner;
extern gid_t group;

int reset(const char* base);
int print_fingerprint(const char* base, const char* mode, const char* mark, int loop);
/// Prints the names of lines that only one of two fingerprints has; 1 where there are any.
int print_changes(const char* old_file, const char* new_file);
/// Prints or removes what a probe left in shared places under its mark.
void visit_marks(const char* mark, int read_only, int remove);
int restore(const char* mark, int loop);
int list_daemons(int end_them);
int help(const char* base);
int run_on_terminal(const char* folder, char** command);
int run_as(const char* base, int uid, int seconds, char** command);

#endif
