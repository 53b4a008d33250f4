/** Debian's Chromium without a window, for tests, measurements and pictures of the console. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.SVC_CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error(`There is no ${executablePath}: "apt-get install chromium", or name another one in SVC_CHROMIUM`);
  return chromium.launch({ executablePath });
}
