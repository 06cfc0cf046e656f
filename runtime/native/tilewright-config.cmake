# The CMake package of the C runtime: tilewright::runtime is a static library of tilewright.c.
#
#   execute_process(COMMAND tw include-dir OUTPUT_VARIABLE native OUTPUT_STRIP_TRAILING_WHITESPACE)
#   find_package(tilewright CONFIG REQUIRED PATHS ${native})
#   target_link_libraries(app PRIVATE tilewright::runtime)
cmake_minimum_required(VERSION 3.13)

if(NOT TARGET tilewright::runtime)
  enable_language(C)
  find_package(Threads REQUIRED)
  add_library(tilewright_runtime STATIC ${CMAKE_CURRENT_LIST_DIR}/tilewright.c)
  add_library(tilewright::runtime ALIAS tilewright_runtime)
  target_include_directories(tilewright_runtime PUBLIC ${CMAKE_CURRENT_LIST_DIR})
  target_link_libraries(tilewright_runtime PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
  set_target_properties(
    tilewright_runtime PROPERTIES C_STANDARD 11 C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON)
endif()
