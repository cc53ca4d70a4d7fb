import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useRef, useState } from 'react';
import { splitSns } from '../../../engines/rollout/scope-values.ts';
import { SnList } from '../../../engines/rollout/sn-list.tsx';
import { messageOf } from '../../../kit/client.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../../kit/form/types.ts';
import { change } from '../../../kit/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Note } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useT } from '../../../ui/words.ts';

type Outcome = OutputOf<typeof deviceGroupCalls.addSns>;
interface Refused {
  readonly outcome: Outcome;
  readonly sns: readonly string[];
}
interface Props {
  groupId: number;
  onClose: () => void;
}

/** As they were written: one that stands there twice is told, not left out. */
const Lines = (part: ControlPart<string[] | undefined>) => <SnList {...part} read={splitSns} />;

/** What is wrong with a list, one by one; the others may come in without it. */
function Problems({
  groupId,
  refused: { outcome, sns },
  onClose,
  onDone,
}: Props & { refused: Refused; onDone: (outcome: Outcome) => void }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const others = sns.length - outcome.refused - outcome.already;
  const addOthers = async () => {
    setBusy(true);
    try {
      onDone(await change(deviceGroupCalls.addSns, { groupId, sns: [...sns], anyway: true }, { hidden: true }));
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={t('deviceGroup.sns.add')}
      onClose={onClose}
      busy={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          {others > 0 ? (
            <Button look="primary" busy={busy} onClick={() => void addOthers()}>
              {t('deviceGroup.sns.others', { n: others })}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="m-stack">
        <Note tone="warn">{t('deviceGroup.sns.refused', { n: outcome.refused })}</Note>
        <Table
          label={t('deviceGroup.sns')}
          rows={outcome.problems.map((one, at) => ({ ...one, at }))}
          idOf={(one) => one.at}
          nameOf={(one) => one.sn}
          columns={[
            { key: 'sn', title: t('device.sn'), width: 220, cell: (one) => <span className="m-mono">{one.sn}</span> },
            { key: 'reason', title: t('deviceGroup.sns.reason'), width: 300, cell: (one) => t(`deviceGroup.sns.${one.reason}`) },
          ]}
        />
        {failure ? <Note tone="danger">{failure}</Note> : null}
      </div>
    </Dialog>
  );
}

/** Terminals of a pasted or uploaded list come into a group. */
export function AddSns({ groupId, onClose }: Props) {
  const t = useT();
  const [refused, setRefused] = useState<Refused>();
  const isTold = useRef(false);
  const done = (outcome: Outcome) => {
    toast('done', t('deviceGroup.sns.added', { n: outcome.added }));
    onClose();
  };
  if (refused) return <Problems groupId={groupId} refused={refused} onClose={onClose} onDone={done} />;
  return (
    <FormDialog
      title="deviceGroup.sns.add"
      submit="deviceGroup.sns.add"
      call={deviceGroupCalls.addSns}
      initial={{ groupId }}
      fields={[{ name: 'sns', label: 'deviceGroup.sns', help: 'deviceGroup.sns.help', Control: Lines, wide: true }]}
      // The form closes itself when it is answered; what it was told stays.
      onClose={() => (isTold.current ? undefined : onClose())}
      onDone={(outcome, values) => {
        isTold.current = outcome.refused > 0 && outcome.added === 0;
        if (isTold.current) setRefused({ outcome, sns: values.sns as string[] });
        else toast('done', t('deviceGroup.sns.added', { n: outcome.added }));
      }}
    />
  );
}
