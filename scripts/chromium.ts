/** Chromium without a window, and an authenticator for it, for tests, measurements and pictures of the console. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { locateProgram } from './programs.ts';

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: locateProgram('chromium') });
}

export interface SoftwareAuthenticator {
  /** Whether a finger is on it. */
  setPresence(isPresent: boolean): Promise<void>;
}

/** An authenticator that Chromium has in software. It says yes to everything, as if a finger were on it; what it keeps dies with the page. */
export async function giveAuthenticator(page: Page): Promise<SoftwareAuthenticator> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setPresence: async (enabled) => {
      await devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
  };
}
