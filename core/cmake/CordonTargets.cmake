# The only place that creates targets, so that every one has the same standard, warnings and
# visibility. Sources are always listed by name: a glob hides a forgotten file from review and
# from the build.
#
#   cordon_room(<name> SOURCES s... [DEPENDS room...] [PUBLIC lib...] [PRIVATE lib...])
#   cordon_plugin(<name> SOURCES s... ROOMS room... [LIBRARIES lib...])
#   cordon_test(<name> SOURCES s... ROOMS room... [LIBRARIES lib...])

include(GNUInstallDirs)
include(CordonPlugin)

# The build tree has the layout of the install tree, so one set of relative paths serves both.
set(CORDON_OUTPUT ${PROJECT_BINARY_DIR}/stage)
set(CORDON_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/cordon/plugins)
set(CORDON_HELPER_DIR ${CMAKE_INSTALL_LIBDIR}/cordon/bin)
set(CORDON_BUNDLE_DIR ${CMAKE_INSTALL_DATADIR}/cordon/bundles)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CORDON_OUTPUT}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CORDON_OUTPUT}/${CMAKE_INSTALL_LIBDIR})
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

# What every target of the project compiles with. INTERFACE, so that nothing is set for a directory.
add_library(cordon_options INTERFACE)
target_compile_features(cordon_options INTERFACE cxx_std_20)
target_compile_options(cordon_options INTERFACE
  -fPIC  # everywhere, executables too: a precompiled header serves one kind of code only
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wimplicit-fallthrough
)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns about the allocation of every coroutine frame, about Asio's fences under TSan, and in
  # a unity build about the frames of coroutines that hold something of an unnamed namespace.
  target_compile_options(cordon_options INTERFACE
    -Wno-mismatched-new-delete -Wno-tsan -Wno-subobject-linkage)
endif()
if(CORDON_SANITIZE)
  target_compile_options(cordon_options INTERFACE
    -fsanitize=${CORDON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cordon_options INTERFACE -fsanitize=${CORDON_SANITIZE})
endif()

# Asio is compiled once, into libcordon: header-only Asio in host and plugin crashes, because each
# side then has its own copy of Asio's thread-local state. Every source must see these definitions.
add_library(cordon_asio INTERFACE)
target_compile_definitions(cordon_asio INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_DYN_LINK BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(cordon_asio INTERFACE Boost::headers Threads::Threads)

add_library(cordon_precompiled OBJECT ${PROJECT_SOURCE_DIR}/core/cmake/precompiled.cpp)
target_link_libraries(cordon_precompiled PRIVATE cordon_options cordon_asio fmt::fmt)
set_target_properties(cordon_precompiled PROPERTIES
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
if(CORDON_PRECOMPILE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_precompile_headers(cordon_precompiled PRIVATE
    ${PROJECT_SOURCE_DIR}/core/cmake/precompiled.hpp)
  # Without timestamps in it the precompiled header can be cached by content.
  target_compile_options(cordon_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()

function(_cordon_common target)
  target_link_libraries(${target} PRIVATE cordon_options fmt::fmt)
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
  )
  if(CORDON_PRECOMPILE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_precompile_headers(${target} REUSE_FROM cordon_precompiled)
  endif()
endfunction()

# A room of libcordon: the folder core/cordon/<name>. Its sources see only their own headers and
# those of the rooms named in DEPENDS, because each room's headers stand in an include folder of
# their own: a wrong include does not compile.
function(cordon_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;PUBLIC;PRIVATE")
  set(view ${PROJECT_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${view}/cordon)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/core/cordon/${name} ${view}/cordon/${name} SYMBOLIC)

  add_library(cordon_${name}_headers INTERFACE)
  target_include_directories(cordon_${name}_headers INTERFACE ${view})
  target_link_libraries(cordon_${name}_headers INTERFACE cordon_asio ${arg_PUBLIC})
  foreach(room IN LISTS arg_DEPENDS)
    target_link_libraries(cordon_${name}_headers INTERFACE cordon_${room}_headers)
  endforeach()

  add_library(cordon_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(cordon_${name} PRIVATE cordon_${name}_headers ${arg_PRIVATE})
  _cordon_common(cordon_${name})
  set_property(GLOBAL APPEND PROPERTY CORDON_OBJECTS cordon_${name})
endfunction()

# A plugin of this project: one shared object in the plugin folder. It sees the rooms it names.
function(cordon_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;ROOMS;LIBRARIES")
  add_library(cordon_plugin_${name} MODULE ${arg_SOURCES})
  target_link_libraries(cordon_plugin_${name} PRIVATE cordon ${arg_LIBRARIES})
  foreach(room IN LISTS arg_ROOMS)
    target_link_libraries(cordon_plugin_${name} PRIVATE cordon_${room}_headers)
  endforeach()
  _cordon_common(cordon_plugin_${name})
  cordon_plugin_properties(cordon_plugin_${name} ${name})
  set_target_properties(cordon_plugin_${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CORDON_OUTPUT}/${CORDON_PLUGIN_DIR}
    INSTALL_RPATH "$ORIGIN/../.."
  )
  install(TARGETS cordon_plugin_${name} DESTINATION ${CORDON_PLUGIN_DIR})
  set_property(GLOBAL APPEND PROPERTY CORDON_PLUGINS cordon_plugin_${name})
endfunction()

# A test executable; every doctest case in it becomes one ctest entry.
function(cordon_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;ROOMS;LIBRARIES")
  add_executable(cordon_test_${name} ${arg_SOURCES})
  target_link_libraries(cordon_test_${name} PRIVATE cordon cordon_test_support ${arg_LIBRARIES})
  foreach(room IN LISTS arg_ROOMS)
    target_link_libraries(cordon_test_${name} PRIVATE cordon_${room}_headers)
  endforeach()
  _cordon_common(cordon_test_${name})
  set_target_properties(cordon_test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests
    BUILD_RPATH ${CORDON_OUTPUT}/${CMAKE_INSTALL_LIBDIR}
    BUILD_WITH_INSTALL_RPATH OFF
  )
  # doctest reports success for a filter that matches nothing. The environment stands in two
  # properties, because the discovery splits a list of two variables apart.
  doctest_discover_tests(cordon_test_${name}
    TEST_PREFIX "${name}/"
    PROPERTIES FAIL_REGULAR_EXPRESSION "test cases: +0 "
               SKIP_REGULAR_EXPRESSION "SKIPPED: "
               ENVIRONMENT "CORDON_TEST_STAGE=${CORDON_OUTPUT}"
               ENVIRONMENT_MODIFICATION "CORDON_TEST_SOURCE=set:${PROJECT_SOURCE_DIR}"
  )
endfunction()
