import { ATTACHMENT } from '@mooring/contract/file/kinds';
import type { OutputOf } from '@mooring/contract/kit/call';
import type { Tone } from '@mooring/contract/kit/state-machine';
import { MOST_FILES, orderCalls } from '@mooring/contract/order/calls';
import { orderMachine } from '@mooring/contract/order/state-machines';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { AttachedFiles } from '../../kit/upload/attached-files.tsx';
import { AttachmentsControl } from '../../kit/upload/attachments-control.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, TextArea } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Bone, Loading } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useLooseT, useT } from '../../ui/words.ts';
import type { Row } from './order-cells.tsx';
import './order.css';

type Entry = OutputOf<typeof orderCalls.entries>['content'][number];

/** What an entry is called: a message by who wrote it, a step by its name. */
const isStep = (event: string) => Object.hasOwn(orderMachine.events, event) || event === 'created';
const toneOf = ({ event }: Entry): Tone =>
  event === null
    ? 'idle'
    : ['delivered', 'closeReturn'].includes(event)
      ? 'good'
      : ['cancel', 'decline', 'moved', 'unreceive', 'refuse', 'declineCosts', 'disputeWarranty'].includes(event)
        ? 'bad'
        : 'busy';

function Entries({ of, entries }: { of: Row; entries: readonly Entry[] }) {
  const t = useT();
  const loose = useLooseT();
  const shown = entries.map((entry) => {
    const { event, by, side, internal, text, fields, files } = entry;
    const changed = fields.map((name) => loose(`order.${name}`, name)).join(', ');
    const org = side === 'customer' ? of.deptName : of.partnerName;
    return {
      key: entry.id,
      at: String(entry.at),
      tone: toneOf(entry),
      title: event === null ? `${by} · ${org}` : loose(isStep(event) ? `event.order.${event}` : `order.entry.${event}`, event),
      text: (
        <>
          {internal ? <Tag>{t('order.say.internal')}</Tag> : null}
          {event === null || by === '' ? null : <div>{`${by} · ${org}`}</div>}
          {changed === '' ? null : <div>{changed}</div>}
          {text === '' ? null : <div className="m-said">{text}</div>}
          <AttachedFiles files={files} />
        </>
      ),
    };
  });
  return <Timeline entries={shown} />;
}

/** The newest first; earlier ones when they are asked for. */
function Past({ of, before }: { of: Row; before?: number }) {
  const t = useT();
  const [earlier, setEarlier] = useState(false);
  const asked = useCall(orderCalls.entries, { id: of.id, ...(before === undefined ? {} : { before }) }, { keep: true });
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data)
    return (
      <Loading>
        <Bone height={120} />
      </Loading>
    );
  const { content, next } = asked.data;
  return (
    <>
      <Entries of={of} entries={content} />
      {next === null ? null : earlier ? (
        <Past of={of} before={next} />
      ) : (
        <Button small onClick={() => setEarlier(true)}>
          {t('order.history.more')}
        </Button>
      )}
    </>
  );
}

/** A message to the other side, or a note for the own one, with files if there are any. */
function Say({ id, isAlone }: { id: number; isAlone: boolean }) {
  const t = useT();
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly number[]>();
  const [notYet, setNotYet] = useState<string>();
  const [internal, setInternal] = useState(false);
  const act = useAct(orderCalls.say, {
    successText: { key: internal ? 'order.say.added' : 'order.say.done', params: {} },
    done: () => {
      setText('');
      setFiles(undefined);
    },
  });
  const isEmpty = text.trim() === '';
  // A file that is still on its way, or didn't come through, isn't left behind without a word.
  const send = () => isEmpty || notYet !== undefined || act.run({ id, text, files: [...(files ?? [])], internal });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <form className="m-stack-tight m-no-print" onSubmit={submit} onKeyDown={onKeyDown}>
      <Field label={t(internal ? 'order.say.internal' : 'order.say.text')}>
        <TextArea value={text} onChange={setText} max={2000} rows={2} />
      </Field>
      {files === undefined ? null : (
        <Field label={t('order.say.attached')} group onOwnError={setNotYet}>
          <AttachmentsControl fileType={ATTACHMENT} most={MOST_FILES} value={files} onChange={setFiles} disabled={act.busy} known={[]} />
        </Field>
      )}
      <div className="m-row m-row-wrap">
        <Button submit look="primary" icon="send" busy={act.busy} disabled={isEmpty}>
          {t(internal ? 'order.say.add' : 'order.say')}
        </Button>
        {files === undefined ? (
          <Button icon="file" onClick={() => setFiles([])}>
            {t('order.say.files')}
          </Button>
        ) : null}
        {isAlone ? null : (
          <Checkbox value={internal} onChange={setInternal} disabled={act.busy}>
            {t('order.say.internal')}
          </Checkbox>
        )}
      </div>
      {internal ? <p className="m-muted m-small">{t('order.say.internal.about')}</p> : null}
    </form>
  );
}

export function History({ row }: { row: Row }) {
  const t = useT();
  return (
    <section className="m-panel">
      <div className="m-panel-head">
        <h2>{t('order.history')}</h2>
      </div>
      <div className="m-panel-body m-stack">
        {allows(row, 'say') ? <Say id={row.id} isAlone={row.deptId === row.partnerId} /> : null}
        <Past of={row} />
      </div>
    </section>
  );
}
