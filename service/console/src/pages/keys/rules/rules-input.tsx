/** The editor of rules, loaded on demand: most visits to a key do not need it. */
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { RulesEditorProps } from './rules-editor';

const RulesEditor = lazy(() => import('./rules-editor').then((module) => ({ default: module.RulesEditor })));

export function RulesInput(props: RulesEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={160} />}>
      <RulesEditor {...props} />
    </Suspense>
  );
}
