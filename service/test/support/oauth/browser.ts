#!/usr/bin/env node
/** `BROWSER` of a program: a person who is signed in, allows every app, and follows the redirect. */
import { setTimeout as pause } from 'node:timers/promises';
import { decide } from './allow-app.ts';

const [, , address = ''] = process.argv;
const redirect = await decide(address, { cookie: process.env.CONSOLE_COOKIE ?? '' });
// Some programs listen only after they have opened the browser.
const deadline = Date.now() + 30_000;
while (!(await fetch(redirect).catch(() => undefined)) && Date.now() < deadline) await pause(20);
