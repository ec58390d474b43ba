# Prints the fenced blocks of a page whose language is `language`. Blocks of C++ name their places, so that the compiler
# does, too.
/^```/ {
    is_inside = !is_inside && $0 == "```" language
    if (is_inside && language == "cpp") {
        printf "#line %d \"%s\"\n", FNR + 1, FILENAME
    }
    next
}
is_inside
