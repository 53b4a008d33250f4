import { inflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { encodePng } from '../../../examples/toolkits/charts/png.ts';
import { modelMedia } from '../../../src/tools/model-media';
import { startProcess } from '../../support/processes';
import { startService } from '../../support/service';

test('an image is a PNG with the pixels that were given', () => {
  const png = encodePng(2, 1, new Uint8Array([0, 1]), [
    [255, 255, 255],
    [0, 0, 0],
  ]);
  const image = { type: 'image', mimeType: 'image/png', data: png.toString('base64') } as const;
  expect(modelMedia([image])).toMatchObject([{ mediaType: 'image/png' }]);
  const at = png.indexOf('IDAT');
  expect([...inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))]).toEqual([0, 0, 1]);
});

test('a bar chart is an image, its numbers as CSV, and a link, beside the JSON', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'charts' });
  const env = { SVC_TOOLKIT_API_KEY: key, SVC_BASE_URL: service.url };
  const toolkit = startProcess(process.execPath, ['examples/toolkits/charts.ts'], { env });
  onTestFinished(async () => {
    toolkit.kill('SIGTERM');
    await toolkit.ended;
  });
  await toolkit.printed(/Charts is ready/);
  const { result, content } = await (await service.tools()).invoke('charts__bar_chart', {
    bars: [
      { label: 'a', value: 1 },
      { label: 'b', value: 2 },
    ],
  });
  expect(result).toEqual({ bars: 2, highest: 2 });
  expect(content).toMatchObject([
    { type: 'image', mimeType: 'image/png' },
    { type: 'resource', resource: { mimeType: 'text/csv', text: 'label,value\n"a",1\n"b",2' } },
    { type: 'resource_link', uri: 'https://en.wikipedia.org/wiki/Bar_chart' },
  ]);
});
