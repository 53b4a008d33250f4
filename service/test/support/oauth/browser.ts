#!/usr/bin/env node
/** `BROWSER` of a program: a person who is signed in, allows every app, and follows the redirect. */
import { decide } from './allow-app.ts';

const [, , address = ''] = process.argv;
await fetch(await decide(address, { cookie: process.env.CONSOLE_COOKIE ?? '' }));
