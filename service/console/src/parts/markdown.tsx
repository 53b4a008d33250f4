/** Markdown of strangers. The renderer is loaded when the first text is shown. */
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

export interface MarkdownProps {
  text: string;
}

const Rendered = lazy(async () => {
  const { renderMarkdown } = await import('../../../src/markdown/markdown');
  return {
    default: ({ text }: MarkdownProps) => (
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the renderer writes HTML that does nothing
      <div className="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: renderMarkdown(text) }} />
    ),
  };
});

export function Markdown({ text }: MarkdownProps) {
  return (
    <Suspense fallback={<Skeleton height={80} />}>
      <Rendered text={text} />
    </Suspense>
  );
}
