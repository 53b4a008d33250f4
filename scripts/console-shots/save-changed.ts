/** A picture is written only if it visibly changed, or shows another version: round corners are not drawn alike every time. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { versionIn } from './version-in-picture.ts';

/** A difference of so few of the 256 steps of a colour is invisible. */
const UNSEEN_STEPS = 4;

export async function saveChanged(page: Page, file: string, picture: Buffer): Promise<boolean> {
  if (existsSync(file) && (await isSame(page, readFileSync(file), picture))) return false;
  writeFileSync(file, picture);
  return true;
}

async function isSame(page: Page, former: Buffer, picture: Buffer): Promise<boolean> {
  return versionIn(former) === versionIn(picture) && (await largestDifference(page, former, picture)) <= UNSEEN_STEPS;
}

/** @param page a blank one, whose browser reads the pictures */
async function largestDifference(page: Page, ...pictures: [Buffer, Buffer]): Promise<number> {
  return page.evaluate(
    async (sources) => {
      const [a, b] = await Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = `data:image/png;base64,${source}`;
          await image.decode();
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return context?.getImageData(0, 0, image.width, image.height);
        }),
      );
      if (!a || !b || a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY;
      return a.data.reduce((largest, value, at) => Math.max(largest, Math.abs(value - (b.data[at] ?? 0))), 0);
    },
    pictures.map((picture) => picture.toString('base64')),
  );
}
