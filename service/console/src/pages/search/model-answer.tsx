import { Box, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import type { SearchResponse } from '#sdk/protocol/http';
import { toModelText } from '#sdk/tools/model-text';
import { CodeBlock } from '../../parts/code-block';
import { formatCount } from '../../parts/format';
import { Region } from '../../parts/region';

/** The exact answer to `search_services`. */
export function ModelAnswerView({ response, maxTokens }: { response: SearchResponse; maxTokens: number }) {
  const [shape, setShape] = useState('readable');
  const exact = toModelText(response);
  const code = shape === 'exact' ? exact : JSON.stringify(response, null, 2);
  return (
    <Box pos={{ md: 'sticky' }} top="calc(var(--app-shell-header-height) + 1rem)">
      <Region
        title="Answer for the model"
        description={`About ${formatCount(estimateTokens(exact))} of ${formatCount(maxTokens)} tokens`}
        aside={
          <SegmentedControl
            size="xs"
            aria-label="Format of the JSON"
            value={shape}
            onChange={setShape}
            data={[
              { value: 'readable', label: 'Readable' },
              { value: 'exact', label: 'As sent' },
            ]}
          />
        }
      >
        <Box className="wrapped-code">
          <CodeBlock code={code} label="Answer to search_services" maxHeight={640} />
        </Box>
      </Region>
    </Box>
  );
}
