/**
 * Bar charts: a result with an image, a file and a link beside its JSON.
 *
 *   SVC_TOOLKIT_API_KEY=… node examples/toolkits/charts.ts
 */
import { Toolkit } from 'svc-sdk';
import { z } from 'zod';
import { encodePng } from './charts/png.ts';
import { reportLoss, serve } from './shared/serve.ts';

const HEIGHT = 120;
const BAR = 16;
const GAP = 8;

const toolkit = new Toolkit({ onStatus: reportLoss });

toolkit.action(
  {
    action: 'bar_chart',
    actionDescription: 'Draws numbers as a bar chart: gives back a PNG image, the numbers as CSV, and a link to how to read such charts.',
    payloadDescription: z.object({
      bars: z
        .array(z.object({ label: z.string().max(100), value: z.number().min(0) }))
        .min(1)
        .max(100)
        .describe('From left to right'),
    }),
    annotations: { readOnly: true, idempotent: true },
  },
  (ctx, { bars }) => {
    const highest = Math.max(...bars.map(({ value }) => value));
    const width = GAP + bars.length * (BAR + GAP);
    const pixels = new Uint8Array(width * HEIGHT);
    for (const [index, { value }] of bars.entries()) {
      const top = HEIGHT - Math.round((value / (highest || 1)) * (HEIGHT - GAP));
      const left = GAP + index * (BAR + GAP);
      for (let y = top; y < HEIGHT; y++) pixels.fill(1, y * width + left, y * width + left + BAR);
    }
    const white: [number, number, number] = [255, 255, 255];
    ctx.image(encodePng(width, HEIGHT, pixels, [white, [37, 99, 235]]), 'image/png');
    const lines = bars.map(({ label, value }) => `"${label.replaceAll('"', '""')}",${value}`);
    ctx.file(['label,value', ...lines].join('\n'), 'text/csv', 'bars.csv');
    ctx.link('https://en.wikipedia.org/wiki/Bar_chart', { title: 'How to read a bar chart' });
    return { bars: bars.length, highest };
  },
);

await serve(toolkit, { name: 'Charts', description: 'Draws numbers as images' });
