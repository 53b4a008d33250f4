/** Images and files of a result for its record. The bytes that fit within the stored size stay; of the others the size in words. */
import { type ContentBlock, withoutBytes } from '#sdk/protocol/content';

/** The brackets, commas and names around the blocks. */
const AROUND_BYTES = 64;

/** @param maxBytes of the JSON of all blocks */
export function smallBlocks(blocks: readonly ContentBlock[], maxBytes: number): ContentBlock[] {
  const described = blocks.map(withoutBytes);
  let left = maxBytes - AROUND_BYTES - described.reduce((sum, block) => sum + jsonBytes(block), 0);
  return described.map((block, index) => {
    const whole = blocks[index] ?? block;
    const more = bytesOf(whole).length;
    if (more > left) return block;
    left -= more;
    return whole;
  });
}

/** Base64, of which each character is a byte. */
function bytesOf(block: ContentBlock): string {
  if (block.type === 'image' || block.type === 'audio') return block.data;
  return block.type === 'resource' ? (block.resource.blob ?? '') : '';
}

function jsonBytes(block: ContentBlock): number {
  return Buffer.byteLength(JSON.stringify(block)) + 1;
}
