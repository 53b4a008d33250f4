/** A conversation of a person with a model that has the tools of an agent key. */
import './playground.css';
import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import type { OwnedKey } from '#sdk/protocol/admin';
import type { PlaygroundInfo } from '#sdk/protocol/admin-schemas';
import { agentKeyQuery } from '../../api/agent-keys';
import { meQuery } from '../../api/me';
import { api } from '../../api/request';
import { NoAgentKey } from '../../parts/no-agent-key';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Chat } from './chat';
import { type ConversationState, PlaygroundConversation } from './conversation/conversation';
import { FormerSession } from './former-session';
import { MessageForm } from './message-form';
import { type ModelChoice, modelName } from './model/model-choice';
import { CodeModal, GoldenModal, NothingFitsModal } from './save-panel';
import { SetupPanel } from './setup-panel';
import { keepSetup, readSetup, type SetupDraft } from './setup-storage';
import { NewTab, TracePanel } from './trace-panel';

const route = getRouteApi('/signed-in/playground');

export function PlaygroundPage() {
  const [setup, setSetup] = useState(readSetup);
  const agent = useQuery(agentKeyQuery(setup.keyId));
  const info = useQuery({ queryKey: ['playground'], queryFn: ({ signal }) => api('GET /v1/playground', { signal }) });
  const change = (next: SetupDraft) => {
    setSetup(next);
    keepSetup(next);
  };
  return (
    <Page
      title="Playground"
      description="Talk to a model that has the tools of one of your agents. No rate and no report counts it; money is real."
    >
      <QueryView query={agent}>
        {(key) => (
          <QueryView query={info}>
            {(found) =>
              key ? (
                <Playground agent={key} info={found} setup={usableSetup(setup, found)} onSetup={change} />
              ) : (
                <NoAgentKey purpose="A conversation uses one of your agent keys, which decides what the model can find and call." />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}

type Shown = 'code' | 'golden' | 'nothing fits';

interface PlaygroundProps {
  agent: OwnedKey;
  info: PlaygroundInfo;
  setup: SetupDraft;
  onSetup: (setup: SetupDraft) => void;
}

function Playground({ agent, info, setup, onSetup }: PlaygroundProps) {
  const { data: me } = useSuspenseQuery(meQuery);
  const { session } = route.useSearch();
  const [conversations, setConversations] = useState<readonly PlaygroundConversation[]>([]);
  const [shown, setShown] = useState<Shown>();
  const [question, setQuestion] = useState('');
  const states = useStates(conversations);
  const isRunning = states.some(({ status }) => status === 'running');
  const hasBegun = conversations.length > 0;
  const keyId = agent.id;

  const change = (part: Partial<SetupDraft>) => onSetup({ ...setup, ...part });
  const send = (text: string, images: readonly string[] = []) => {
    const open = hasBegun ? conversations : modelsOf(setup, info).map((model) => new PlaygroundConversation({ ...setup, keyId, model }));
    if (!hasBegun) {
      setConversations(open);
      setQuestion(text);
    }
    for (const conversation of open) void conversation.send(text, images);
  };
  const begin = () => {
    for (const conversation of conversations) conversation.stop();
    setConversations([]);
  };
  const [first] = conversations;
  const steps = states.flatMap(({ steps: of }) => of);
  const wish = steps.find((step) => step.kind === 'search');
  return (
    <>
      {session !== undefined && <FormerSession session={session} isRunning={isRunning} onSend={send} />}
      <Box className="playground-grid">
        <Paper withBorder p="md" component="section" aria-label="Setup">
          <fieldset disabled={hasBegun} className="playground-setup">
            <SetupPanel agent={agent} info={info} currency={me.currency} setup={setup} onChange={change} />
          </fieldset>
          {hasBegun && (
            <Stack gap={4} mt="md">
              <Text size="xs" c="dimmed">
                The setup holds for the whole conversation.
              </Text>
              <Button size="xs" variant="default" onClick={begin}>
                New conversation
              </Button>
            </Stack>
          )}
        </Paper>
        <Paper withBorder p="md" className="playground-middle">
          <Box className="playground-chats">
            {conversations.map((conversation) => (
              <Chat
                key={conversation.session}
                conversation={conversation}
                label={`Conversation with ${modelName(conversation.setup.model)}`}
              />
            ))}
          </Box>
          <MessageForm
            isRunning={isRunning}
            onSend={send}
            onStop={() => {
              for (const conversation of conversations) conversation.stop();
            }}
          />
        </Paper>
        <Paper withBorder p="md" className="playground-trace">
          {!first && (
            <Text size="sm" c="dimmed">
              Here you will see each step: what the model searched and was shown, what it called, with tokens, time and cost.
            </Text>
          )}
          {conversations.map((conversation, index) => (
            <Box key={conversation.session} mb="md">
              <TracePanel
                state={states[index] ?? conversation.state}
                currency={me.currency}
                label={`Trace of ${modelName(conversation.setup.model)}`}
              />
              <NewTab href={`/sessions/${conversation.session}`}>The session in the records</NewTab>
            </Box>
          ))}
          {first && (
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => setShown('code')}>
                Get the code
              </Button>
              <Button size="xs" variant="default" onClick={() => setShown('golden')}>
                Save as golden query
              </Button>
              <Button size="xs" variant="default" onClick={() => setShown('nothing fits')}>
                Report “nothing fits”
              </Button>
            </Group>
          )}
        </Paper>
      </Box>
      {shown === 'code' && first && <CodeModal setup={first.setup} question={question} url={me.url} onClose={() => setShown(undefined)} />}
      {shown === 'golden' && <GoldenModal steps={steps} onClose={() => setShown(undefined)} />}
      {shown === 'nothing fits' && (
        <NothingFitsModal keyId={keyId} query={wish?.kind === 'search' ? wish.query : question} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

/** A set-up from before may name a model that is gone. */
function usableSetup(setup: SetupDraft, info: PlaygroundInfo): SetupDraft {
  const kind = setup.kind === 'service' && info.model === undefined ? 'script' : setup.kind;
  return { ...setup, kind, code: setup.code && info.code };
}

function modelsOf({ kind, own, second, compares }: SetupDraft, { model = '' }: PlaygroundInfo): ModelChoice[] {
  const chosen: ModelChoice = kind === 'own' ? { kind, ...own } : kind === 'service' ? { kind, model } : { kind };
  return compares ? [chosen, { kind: 'own', ...second }] : [chosen];
}

const NO_STATES: readonly ConversationState[] = [];

function useStates(conversations: readonly PlaygroundConversation[]): readonly ConversationState[] {
  const [cache] = useState<{ states: readonly ConversationState[] }>({ states: NO_STATES });
  const subscribe = (listener: () => void) => {
    const stops = conversations.map((conversation) => conversation.subscribe(listener));
    return () => {
      for (const stop of stops) stop();
    };
  };
  return useSyncExternalStore(subscribe, () => {
    const now = conversations.map(({ state }) => state);
    const isSame = now.length === cache.states.length && now.every((state, index) => state === cache.states[index]);
    if (!isSame) cache.states = now;
    return cache.states;
  });
}
