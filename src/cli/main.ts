#!/usr/bin/env node
/** `svc-sdk`: the service, its keys, and a look at what agents see, from a terminal. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiling takes a quarter of a start. It is kept beside the program, where nobody may write who may not change the program as well.
enableCompileCache(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
await import('./program');
