# What makes a shared object a Cordon plugin. Installed with the package, so that plugins built
# elsewhere get the same flags:
#
#   find_package(cordon CONFIG REQUIRED)
#   cordon_add_plugin(<name> SOURCES s... [LIBRARIES lib...])

# cordon_plugin_properties(<target> <file name without suffix>)
function(cordon_plugin_properties target name)
  set_target_properties(${target} PROPERTIES
    PREFIX ""
    OUTPUT_NAME ${name}
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
  )
  # Unique symbols (g++) would tie two copies of a reloaded plugin together.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  # The sanitizer runtimes live in the executable, so a sanitized plugin has undefined symbols.
  if(NOT CORDON_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
endfunction()

function(cordon_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_library(${name} MODULE ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE cordon::cordon ${arg_LIBRARIES})
  cordon_plugin_properties(${name} ${name})
endfunction()
