import type { OutputOf } from '@mooring/contract/kit/call';
import { labelCalls } from '@mooring/contract/language/label-calls';
import { useRef, useState } from 'react';
import { messageOf } from '../../kit/client.ts';
import { useAct } from '../../kit/queries.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

type Outcome = OutputOf<typeof labelCalls.import>;

const packs = ['xlsx', 'json'] as const;

/** A language pack: checked first, then taken. */
export function ImportPack({ langCode, onClose }: { langCode: string; onClose: () => void }) {
  const t = useT();
  const loose = useLooseT();
  const [file, setFile] = useState<number>();
  const [outcome, setOutcome] = useState<Outcome>();
  /** One file may be answered after another was chosen. */
  const chosen = useRef<number>(undefined);
  const act = useAct(labelCalls.import, { hidden: true });
  const [taking, setTaking] = useState(false);
  const check = (id: number | undefined) => {
    chosen.current = id;
    setFile(id);
    setOutcome(undefined);
    if (id !== undefined)
      void act.ask({ langCode, file: id, preview: true }).then(
        (found) => chosen.current === id && setOutcome(found),
        () => undefined,
      );
  };
  const take = () => {
    if (file === undefined) return;
    setTaking(true);
    void act
      .ask({ langCode, file })
      .then(onClose, () => undefined)
      .finally(() => setTaking(false));
  };
  return (
    <Dialog
      open
      title={t('label.import.title')}
      onClose={onClose}
      busy={taking}
      width={600}
      footer={
        <>
          <Button onClick={onClose} disabled={taking}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" busy={act.busy} disabled={!outcome || outcome.taken === 0} onClick={take}>
            {t('label.import.take', { count: outcome?.taken ?? 0 })}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <p className="m-muted">{t('label.import.about')}</p>
        <Field label={t('label.import.file')} group>
          <FileField
            fileType="8"
            only={packs}
            value={file}
            onChange={check}
            onBlur={() => {}}
            values={{}}
            set={() => {}}
            fill={() => {}}
            disabled={act.busy}
          />
        </Field>
        {act.error ? <Note tone="danger">{messageOf(act.error)}</Note> : null}
        {outcome ? <Note tone="info">{t('label.import.outcome', { taken: outcome.taken, same: outcome.same })}</Note> : null}
        {outcome && outcome.wrong.length > 0 ? (
          <div className="m-stack-tight">
            <h3>{t('label.import.wrong')}</h3>
            <ul className="m-plain-list">
              {outcome.wrong.map((one) => (
                <li key={one.key}>
                  <span className="m-mono m-small">{one.key}</span> {loose(`fault.${one.fault}`, one.fault)}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        {outcome && outcome.unknown.length > 0 ? (
          <div className="m-stack-tight">
            <h3>{t('label.import.unknown')}</h3>
            <p className="m-mono m-small m-muted">{outcome.unknown.join(', ')}</p>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}
