import { authAuditCalls, type RealNameField, realNameFields } from '@mooring/contract/account/real-name-calls';
import { useState } from 'react';
import { useAct } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { type TextKey, useT } from '../../ui/words.ts';

const labelOf = (field: RealNameField, kind: 'person' | 'org'): TextKey =>
  field === 'name' ? `realName.${kind}.name` : field === 'number' && kind === 'org' ? 'realName.org.number' : `realName.${field}`;

/** A reason for each field that is wrong. */
interface Asked {
  readonly id: number;
  readonly kind: 'person' | 'org';
  readonly name: string;
}
export function RefuseDialog({ row: { id, kind, name }, onClose }: { row: Asked; onClose: () => void }) {
  const t = useT();
  const [reasons, setReasons] = useState<Partial<Record<RealNameField, string>>>({});
  const [none, setNone] = useState(false);
  const act = useAct(authAuditCalls.refuse, { successText: 'authAudit.refused', done: onClose });
  const submit = () => {
    const given = Object.fromEntries(Object.entries(reasons).filter(([, words]) => words.trim() !== ''));
    setNone(Object.keys(given).length === 0);
    if (Object.keys(given).length > 0) act.run({ id, reasons: given });
  };
  return (
    <Dialog
      open
      title={t('kit.act.sure', { act: t('authAudit.refuse'), name })}
      onClose={onClose}
      busy={act.busy}
      firm={Object.keys(reasons).length > 0}
      footer={
        <>
          <Button onClick={onClose} disabled={act.busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" danger busy={act.busy} onClick={submit}>
            {t('authAudit.refuse')}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <p className="m-muted">{t('authAudit.refuse.text')}</p>
        {none ? <Note tone="danger">{t('authAudit.refuse.none')}</Note> : null}
        {realNameFields[kind].map((field) => (
          <Field key={field} label={t(labelOf(field, kind))} optional>
            <TextInput value={reasons[field] ?? ''} onChange={(words) => setReasons((now) => ({ ...now, [field]: words }))} max={200} />
          </Field>
        ))}
      </div>
    </Dialog>
  );
}
