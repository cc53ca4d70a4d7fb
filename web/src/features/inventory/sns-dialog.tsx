import type { stockRefusals } from '@mooring/contract/inventory/fields';
import type { Call, InputOf } from '@mooring/contract/kit/call';
import { useRef, useState } from 'react';
import { splitSns } from '../../engines/rollout/scope-values.ts';
import { SnList } from '../../engines/rollout/sn-list.tsx';
import { messageOf } from '../../kit/client.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart, FieldSpec, Values } from '../../kit/form/types.ts';
import { change } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useT } from '../../ui/words.ts';

export interface Listed {
  readonly id?: number | null;
  readonly done: number;
  readonly refused: number;
  readonly problems: readonly { readonly sn: string; readonly reason: (typeof stockRefusals)[number]; readonly document: string }[];
}
interface Props {
  /** Takes `sns` and `anyway`; one with a list of its own takes all or none. */
  readonly call: Call;
  readonly list?: FieldSpec;
  readonly wide?: boolean;
  readonly title: TextKey;
  readonly submit: TextKey;
  /** Gets `{n}`. */
  readonly done: TextKey;
  readonly sns: { readonly label: TextKey; readonly help: TextKey };
  readonly fields: readonly FieldSpec[];
  readonly initial?: Values;
  readonly onTaken?: (listed: Listed) => void;
  readonly onClose: () => void;
}

/** As they were written: one that stands there twice is told, not left out. */
export const Lines = (part: ControlPart<string[] | undefined>) => <SnList {...part} read={splitSns} />;

interface Refused {
  readonly listed: Listed;
  readonly values: Values;
}

/** What is wrong with a list, one by one; the others may be taken without it. */
function Problems({
  call,
  title,
  refused: { listed, values },
  onBack,
  onClose,
  onTaken,
}: Pick<Props, 'call' | 'title' | 'onClose'> & { refused: Refused; onBack: () => void; onTaken: (listed: Listed) => void }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const others = Array.isArray(values.sns) ? values.sns.length - listed.refused : 0;
  const takeOthers = async () => {
    setBusy(true);
    try {
      onTaken((await change(call, { ...values, anyway: true } as InputOf<Call>, { hidden: true })) as Listed);
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={t(title)}
      onClose={onClose}
      busy={busy}
      footer={
        <>
          <Button onClick={onBack} disabled={busy}>
            {t('stock.sns.back')}
          </Button>
          {others > 0 ? (
            <Button look="primary" busy={busy} onClick={() => void takeOthers()}>
              {t('stock.sns.others', { n: others })}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="m-stack">
        <Note tone="warn">{t('stock.sns.refused', { n: listed.refused })}</Note>
        <Table
          label={t('stock.in.sns')}
          rows={listed.problems.map((one, at) => ({ ...one, at }))}
          idOf={(one) => one.at}
          nameOf={(one) => one.sn}
          columns={[
            { key: 'sn', title: t('device.sn'), width: 190, cell: (one) => <span className="m-mono">{one.sn}</span> },
            {
              key: 'reason',
              title: t('stock.sns.reason'),
              width: 330,
              cell: (one) => t(`stock.sns.${one.reason}`, { document: one.document }),
            },
          ]}
        />
        {failure ? <Note tone="danger">{failure}</Note> : null}
      </div>
    </Dialog>
  );
}

/** Terminals by a list of serial numbers: scanned, typed, pasted or uploaded. */
export function SnsDialog({ call, title, submit, done, sns, list, wide = false, fields, initial = {}, onTaken, onClose }: Props) {
  const t = useT();
  const [refused, setRefused] = useState<Refused>();
  /** What was typed, for who goes back to it. */
  const [typed, setTyped] = useState<Values>();
  const isTold = useRef(false);
  const taken = (listed: Listed) => {
    toast('done', t(done, { n: listed.done }));
    onTaken?.(listed);
  };
  if (refused)
    return (
      <Problems
        call={call}
        title={title}
        refused={refused}
        onBack={() => {
          isTold.current = false;
          setTyped(refused.values);
          setRefused(undefined);
        }}
        onClose={onClose}
        onTaken={(listed) => {
          taken(listed);
          onClose();
        }}
      />
    );
  return (
    <FormDialog
      title={title}
      submit={submit}
      call={call}
      initial={(typed ?? initial) as never}
      fields={[list ?? { name: 'sns', label: sns.label, help: sns.help, Control: Lines, wide: true }, ...fields] as never}
      wide={wide}
      // The form closes itself when it is answered; what it was told stays.
      onClose={() => (isTold.current ? undefined : onClose())}
      onDone={(answer, values) => {
        const listed = answer as Listed;
        isTold.current = listed.refused > 0 && listed.done === 0;
        if (isTold.current) setRefused({ listed, values });
        else taken(listed);
      }}
    />
  );
}
