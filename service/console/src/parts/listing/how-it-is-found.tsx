/** How searches find an action, or the actions of a toolkit: a query to test, and the recorded searches. */
import { useRef, useState } from 'react';
import type { SearchesAsked } from '../../api/searches';
import { FoundBySearches } from '../found-by-searches';
import { Section } from '../section';
import { TestQuery } from './test-query';

export interface HowItIsFoundProps {
  of: Pick<SearchesAsked, 'action' | 'toolkit'>;
  /** Ids of the actions that a query can be tested with. */
  actions: readonly string[];
}

export function HowItIsFound({ of, actions: [first, ...others] }: HowItIsFoundProps) {
  const [query, setQuery] = useState('');
  const test = useRef<HTMLDivElement>(null);
  const onTest = (text: string) => {
    setQuery(text);
    test.current?.scrollIntoView({ block: 'nearest' });
  };
  const what = of.action ? 'the action' : 'an action of this toolkit';
  return (
    <>
      {first !== undefined && (
        <div ref={test}>
          <TestQuery actions={[first, ...others]} query={query} onTest={setQuery} />
        </div>
      )}
      <Section title="Searches that found it" description={`How often they found ${what}, and how often agents called it afterwards.`}>
        <FoundBySearches {...of} onTest={onTest} />
      </Section>
    </>
  );
}
