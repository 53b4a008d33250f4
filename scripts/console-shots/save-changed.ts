/** A picture is written where somebody would see that it changed: edges of letters and lines are not drawn alike every time. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** So many pixels may differ without anybody seeing it. */
const UNSEEN_PIXELS = 60;

export async function saveChanged(page: Page, file: string, picture: Buffer): Promise<boolean> {
  if (existsSync(file) && (await differingPixels(page, readFileSync(file), picture)) <= UNSEEN_PIXELS) return false;
  writeFileSync(file, picture);
  return true;
}

/** @param page a blank one, whose browser reads the pictures */
async function differingPixels(page: Page, ...pictures: [Buffer, Buffer]): Promise<number> {
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
      const [one, other] = [new Uint32Array(a.data.buffer), new Uint32Array(b.data.buffer)];
      return one.reduce((differing, pixel, at) => differing + (pixel === other[at] ? 0 : 1), 0);
    },
    pictures.map((picture) => picture.toString('base64')),
  );
}
