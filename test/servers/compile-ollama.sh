#!/bin/sh
# What Go compiles the C++ of Ollama with. The parts of ggml compute, and are made fast. What llama.cpp has around them is large and
# runs little: without optimization it compiles in two thirds of the time.
case $PWD in
*/llama | */llama/llama.cpp/*) exec c++ "$@" -O0 ;;
*) exec c++ "$@" ;;
esac
