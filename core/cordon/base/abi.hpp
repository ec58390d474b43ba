#pragma once

#include <boost/version.hpp>

#include <version>  // defines _GLIBCXX_USE_CXX11_ABI, whatever the source includes before

/// What must be equal between libcordon and a plugin for the two to share C++ objects. Compared as
/// text before a library is opened, and again in its descriptor after.
#define CORDON_ABI_VERSION 1

/// ELF section that holds the tag.
#define CORDON_ABI_SECTION ".cordon.abi"

#define CORDON_ABI_TEXT_(x) #x
#define CORDON_ABI_TEXT(x) CORDON_ABI_TEXT_(x)

#if defined(__clang__)
    #define CORDON_ABI_COMPILER "clang-" CORDON_ABI_TEXT(__clang_major__)
#else
    #define CORDON_ABI_COMPILER "gcc-" CORDON_ABI_TEXT(__GNUC__)
#endif

#if defined(__SANITIZE_ADDRESS__)
    #define CORDON_ABI_SANITIZER "address"
#elif defined(__SANITIZE_THREAD__)
    #define CORDON_ABI_SANITIZER "thread"
#elif defined(__has_feature)
    #if __has_feature(address_sanitizer)
        #define CORDON_ABI_SANITIZER "address"
    #elif __has_feature(thread_sanitizer)
        #define CORDON_ABI_SANITIZER "thread"
    #else
        #define CORDON_ABI_SANITIZER "none"
    #endif
#else
    #define CORDON_ABI_SANITIZER "none"
#endif

/// `cordon=1 boost=108100 cxx11abi=1 std=202002 compiler=clang-16 sanitizer=none`
#define CORDON_ABI_TAG                                                                         \
    "cordon=" CORDON_ABI_TEXT(CORDON_ABI_VERSION) " boost=" CORDON_ABI_TEXT(BOOST_VERSION      \
    ) " cxx11abi=" CORDON_ABI_TEXT(_GLIBCXX_USE_CXX11_ABI) " std=" CORDON_ABI_TEXT(__cplusplus \
    ) " compiler=" CORDON_ABI_COMPILER " sanitizer=" CORDON_ABI_SANITIZER
