import { deviceThingCalls, type LiveProperty, type ThingState } from '@mooring/contract/device/thing/thing-calls';
import { useState } from 'react';
import { allows } from '../../../kit/allows.ts';
import { useAct } from '../../../kit/queries.ts';
import { useTypeWords } from '../../../kit/thing/type-words.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/status-tag.tsx';
import { type TextKey, useFormat, useT } from '../../../ui/words.ts';
import { SetProperty } from './set-property.tsx';
import { useMisfitWords, useReasonWords, useValueWords } from './value-words.ts';
import { Withdraw } from './withdraw.tsx';

interface Device {
  readonly id: number;
  readonly sn: string;
}
type Wanted = NonNullable<LiveProperty['wanted']>;
const openWords: Readonly<Record<string, TextKey>> = {
  waiting: 'thing.wanted.waiting',
  sent: 'thing.wanted.sent',
  done: 'thing.wanted.done',
};

/** When it was told; a moment that nobody kept is said to be unknown. */
function Reported({ reported, at }: { reported: boolean; at: string | null }) {
  const t = useT();
  const format = useFormat();
  if (!reported) return <span className="m-muted">{t('thing.never')}</span>;
  if (at === null) return <span className="m-muted">{t('thing.unknownTime')}</span>;
  return (
    <time className="m-muted" dateTime={at} title={format.ago(at)}>
      {format.moment(at, 'second')}
    </time>
  );
}

/** What is wanted of it, until it says so itself. */
function WantedLine({ property, wanted, mayWithdraw }: { property: LiveProperty; wanted: Wanted; mayWithdraw: boolean }) {
  const t = useT();
  const format = useFormat();
  const valueWords = useValueWords();
  const misfitWords = useMisfitWords();
  const reasonWords = useReasonWords();
  const value = valueWords(property.dataType, wanted.value);
  const open = wanted.state === 'waiting' || wanted.state === 'sent';
  const words =
    wanted.reason === 'doneLate'
      ? t('thing.wanted.doneLate', { value })
      : wanted.state === 'failed'
        ? t('thing.wanted.failed', { value, reason: reasonWords(wanted) })
        : t(openWords[wanted.state] ?? 'thing.wanted.expired', { value });
  // Of a set of several it may be another one that no longer fits.
  const isOwn = (at: string) => at === property.id || at.startsWith(`${property.id}.`) || at.startsWith(`${property.id}[`);
  const bad = wanted.state === 'failed' || wanted.state === 'expired' || wanted.misfit !== null;
  return (
    <div className={bad ? 'm-thing-wanted m-thing-bad' : 'm-thing-wanted'} role="status">
      <div className="m-grow">
        <div>{words}</div>
        {wanted.misfit ? (
          <div>
            {t(wanted.state === 'sent' ? 'thing.wanted.misfitSent' : 'thing.wanted.misfit', {
              what: misfitWords({ ...wanted.misfit, at: isOwn(wanted.misfit.at) ? '' : wanted.misfit.at }),
            })}
          </div>
        ) : null}
        <div className="m-muted m-small">{t('thing.wanted.by', { by: wanted.by ?? '', at: format.moment(wanted.at, 'second') })}</div>
      </div>
      {open && mayWithdraw ? <Withdraw commandId={wanted.commandId} of={property.name} /> : null}
    </div>
  );
}

function Property({ device, property, maySet }: { device: Device; property: LiveProperty; maySet: boolean }) {
  const t = useT();
  const typeWords = useTypeWords();
  const valueWords = useValueWords();
  const misfitWords = useMisfitWords();
  const [editing, setEditing] = useState(false);
  const { name, id, dataType, access, value, reported, reportedAt, misfit, wanted } = property;
  return (
    <li className="m-thing">
      <div>
        <div>{name}</div>
        <div className="m-muted m-small">
          <span className="m-mono">{id}</span> · {typeWords(dataType)}
        </div>
      </div>
      <div>
        <div className="m-thing-value">{reported ? valueWords(dataType, value) : '–'}</div>
        {misfit ? <Tag tone="warn">{t('thing.misfit', { what: misfitWords(misfit) })}</Tag> : null}
      </div>
      <div className="m-small">
        <Reported reported={reported} at={reportedAt} />
      </div>
      <div className="m-thing-act">
        {access === 'r' ? <span className="m-muted m-small">{t('thing.readOnly')}</span> : null}
        {access === 'rw' && maySet ? (
          <IconButton icon="edit" label={t('thing.edit', { name })} expanded={editing} onClick={() => setEditing(!editing)} />
        ) : null}
      </div>
      {wanted ? <WantedLine property={property} wanted={wanted} mayWithdraw={maySet} /> : null}
      {editing && maySet ? <SetProperty device={device} property={property} onClose={() => setEditing(false)} /> : null}
    </li>
  );
}

/** What the terminal says that its model doesn't name. */
export function Others({ others }: { others: ThingState['others'] }) {
  const t = useT();
  if (others.length === 0) return null;
  return (
    <section className="m-panel" aria-labelledby="thing-others">
      <header className="m-panel-head">
        <h2 id="thing-others">{t('thing.others')}</h2>
      </header>
      <p className="m-panel-body m-muted">{t('thing.othersText')}</p>
      <ul className="m-things">
        {others.map((one) => (
          <li key={one.id} className="m-thing">
            <div>
              <span className="m-mono">{one.id}</span>
            </div>
            <div className="m-thing-value">
              <span className="m-mono">{JSON.stringify(one.value)}</span>
            </div>
            <span className="m-small">
              <Reported reported at={one.reportedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The newest request for values: that it waits, or came to nothing. */
function Asked({ asked, device, mayWithdraw }: { asked: NonNullable<ThingState['asked']>; device: Device; mayWithdraw: boolean }) {
  const t = useT();
  const reasonWords = useReasonWords();
  const { sn } = device;
  const open = asked.state === 'waiting' || asked.state === 'sent';
  const words = open
    ? t('thing.asking', { sn })
    : asked.state === 'failed'
      ? t('thing.asked.failed', { sn, reason: reasonWords(asked) })
      : t('thing.asked.expired', { sn });
  return (
    <div className="m-panel-body m-row m-row-wrap" role="status">
      <span className={open ? 'm-grow m-muted' : 'm-grow m-thing-bad'}>{words}</span>
      {open && mayWithdraw ? <Withdraw commandId={asked.commandId} of={t('thing.request')} /> : null}
    </div>
  );
}

/** Each property with its value as the terminal last told it, and as it is wanted. */
export function Properties({ device, state }: { device: Device; state: ThingState }) {
  const t = useT();
  const request = useAct(deviceThingCalls.request, { successText: { key: 'thing.requested', params: { sn: device.sn } } });
  return (
    <section className="m-panel" aria-labelledby="thing-properties">
      <header className="m-panel-head">
        <h2 className="m-grow" id="thing-properties">
          {t('thing.properties')}
        </h2>
        {allows(state, 'request') ? (
          <Button small icon="sync" busy={request.busy} onClick={() => request.run({ id: device.id })}>
            {t('thing.request')}
          </Button>
        ) : null}
      </header>
      {state.asked ? <Asked asked={state.asked} device={device} mayWithdraw={allows(state, 'request')} /> : null}
      {state.properties.length === 0 ? (
        <p className="m-panel-body m-muted">{t('thing.noProperties')}</p>
      ) : (
        <ul className="m-things" aria-label={t('thing.properties')}>
          {state.properties.map((property) => (
            <Property key={property.id} device={device} property={property} maySet={allows(state, 'set')} />
          ))}
        </ul>
      )}
    </section>
  );
}
