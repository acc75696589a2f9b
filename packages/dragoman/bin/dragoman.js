#!/usr/bin/env node
import '@dragoman/server/command';
