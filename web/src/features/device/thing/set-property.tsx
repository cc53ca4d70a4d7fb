import { wrongToSet } from '@mooring/contract/device/thing/check-values';
import { deviceThingCalls, type LiveProperty } from '@mooring/contract/device/thing/thing-calls';
import { valueFault } from '@mooring/contract/product/thing-model';
import { type FormEvent, useState } from 'react';
import { isCallError } from '../../../kit/outcome.ts';
import { useAct } from '../../../kit/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useT } from '../../../ui/words.ts';
import { Expiry, useExpiry } from './expiry.tsx';
import { ValueControl } from './value-control.tsx';
import { blank, type Draft, type Problems, problemsFrom, problemsOf, withoutGaps } from './value-drafts.ts';

interface Props {
  readonly device: { readonly id: number; readonly sn: string };
  readonly property: LiveProperty;
  readonly onClose: () => void;
}

/** Of its own last word, or of what is wanted already. */
function startOf({ dataType, value, wanted }: LiveProperty): Draft {
  const from = wanted && wanted.state !== 'failed' && !wanted.misfit ? wanted.value : value;
  return valueFault(dataType, from) ? blank(dataType) : from;
}

/** Sets one property, where it stands. */
export function SetProperty({ device, property, onClose }: Props) {
  const t = useT();
  const { id, name, dataType } = property;
  const [draft, setDraft] = useState(() => startOf(property));
  const [problems, setProblems] = useState<Problems>({});
  const expiry = useExpiry();
  const act = useAct(deviceThingCalls.set, { hidden: true });
  const put = (next: Draft) => {
    setDraft(next);
    setProblems({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const values = withoutGaps({ [id]: draft }) as Record<string, never>;
    const misfits = Object.hasOwn(values, id) ? wrongToSet({ properties: [property] }, values) : [{ problem: 'missing' as const, at: id }];
    setProblems(problemsOf(misfits));
    const hours = expiry.read();
    if (misfits.length > 0 || hours === undefined) return;
    try {
      await act.ask({ id: device.id, values, hours });
      toast('done', t('thing.done.set', { name, sn: device.sn }));
      onClose();
    } catch (error) {
      if (!isCallError(error)) throw error;
      const found = problemsFrom(error.fields, 'values');
      setProblems(Object.keys(found).length > 0 ? found : { [id]: { text: error.message } });
    }
  };
  return (
    <form className="m-stack m-thing-form" noValidate aria-label={t('thing.edit', { name })} onSubmit={(event) => void submit(event)}>
      <ValueControl type={dataType} label={name} at={id} value={draft} problems={problems} onChange={put} />
      <Expiry of={expiry} />
      <div className="m-row">
        <Button submit look="primary" busy={act.busy}>
          {t('thing.set')}
        </Button>
        <Button onClick={onClose} disabled={act.busy}>
          {t('kit.cancel')}
        </Button>
      </div>
    </form>
  );
}
