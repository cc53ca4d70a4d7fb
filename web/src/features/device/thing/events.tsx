import { deviceThingCalls, type TerminalEvent, type ThingState } from '@mooring/contract/device/thing/thing-calls';
import { useEffect, useState } from 'react';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { useCall, useCalls } from '../../../kit/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Timeline } from '../../../ui/figures.tsx';
import { Bone } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-tag.tsx';
import { useT } from '../../../ui/words.ts';
import { type Shown, withNewest, withOlder } from './shown-events.ts';
import { useFieldWords, useMisfitWords } from './value-words.ts';

const tones = { info: 'busy', warning: 'wait', alarm: 'bad' } as const;

function Entry({ event, state }: { event: TerminalEvent; state: ThingState }) {
  const t = useT();
  const misfitWords = useMisfitWords();
  const fieldWords = useFieldWords();
  const params = fieldWords(state.events.find((one) => one.id === event.name)?.params ?? [], event.params);
  return (
    <>
      {params}
      {event.misfits.map((one) => (
        <Tag key={`${one.at} ${one.problem}`} tone="warn">
          {t('thing.misfit', { what: misfitWords(one) })}
        </Tag>
      ))}
    </>
  );
}

/** Events that the model names, newest first. */
export function Events({ device, state }: { device: { readonly id: number }; state: ThingState }) {
  const t = useT();
  const [shown, setShown] = useState<Shown>();
  const [before, setBefore] = useState<string>();
  const first = useCall(deviceThingCalls.events, { id: device.id }, { keep: true });
  const [older] = useCalls(deviceThingCalls.events, before === undefined ? [] : [{ id: device.id, before }]);
  const [newest, more] = [first.data, older?.data];
  useEffect(() => {
    if (newest) setShown((now) => withNewest(now, newest));
  }, [newest]);
  useEffect(() => {
    if (!more) return;
    setShown((now) => now && withOlder(now, more));
    setBefore(undefined);
  }, [more]);
  if (state.events.length === 0) return null;
  const entries = shown?.events ?? [];
  const busy = before !== undefined;
  const next = shown?.next;
  const nameOf = (event: TerminalEvent) => state.events.find((one) => one.id === event.name)?.name ?? event.name;
  return (
    <section className="m-panel" aria-labelledby="thing-events">
      <header className="m-panel-head">
        <h2 id="thing-events">{t('thing.events')}</h2>
      </header>
      <div className="m-panel-body m-stack">
        {first.error && !first.data ? <CallFailed part error={first.error} onRetry={first.retry} /> : null}
        {first.loading ? <Bone height={120} /> : null}
        {shown && entries.length === 0 ? <p className="m-muted">{t('thing.noEvents')}</p> : null}
        {entries.length > 0 ? (
          <Timeline
            entries={entries.map((event) => ({
              key: event.key,
              at: event.at,
              tone: tones[event.level],
              title: (
                <>
                  {nameOf(event)} <span className="m-muted">{t(`model.level.${event.level}`)}</span>
                </>
              ),
              text: <Entry event={event} state={state} />,
            }))}
          />
        ) : null}
        {next || busy ? (
          <div>
            <Button busy={busy} onClick={() => setBefore(next ?? undefined)}>
              {t('thing.older')}
            </Button>
          </div>
        ) : null}
      </div>
    </section>
  );
}
