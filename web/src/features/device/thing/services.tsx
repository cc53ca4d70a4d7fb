import { commandMachine } from '@mooring/contract/device/state-machines';
import { wrongInput } from '@mooring/contract/device/thing/check-values';
import { deviceThingCalls, type ServiceCall, type ThingState } from '@mooring/contract/device/thing/thing-calls';
import { type FormEvent, useEffect, useState } from 'react';
import { allows } from '../../../kit/allows.ts';
import { isCallError } from '../../../kit/outcome.ts';
import { useAct } from '../../../kit/queries.ts';
import { StateTag } from '../../../kit/state-tag.tsx';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-tag.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useFormat, useT, wordsOf } from '../../../ui/words.ts';
import { Expiry, useExpiry } from './expiry.tsx';
import { ValueControl } from './value-control.tsx';
import { blankFields, type Draft, type Problems, problemsFrom, problemsOf, withoutGaps } from './value-drafts.ts';
import { useFieldWords, useMisfitWords, useReasonWords } from './value-words.ts';
import { Withdraw } from './withdraw.tsx';

interface Device {
  readonly id: number;
  readonly sn: string;
}
type Service = ThingState['services'][number];
/** So long a call that answers at once holds its button. */
const HOLD_MS = 8000;

function CallLine({ service, call, mayWithdraw }: { service: Service; call: ServiceCall; mayWithdraw: boolean }) {
  const t = useT();
  const format = useFormat();
  const fieldWords = useFieldWords();
  const misfitWords = useMisfitWords();
  const reasonWords = useReasonWords();
  const asked = fieldWords(service.input, call.input);
  const answer = call.output === null ? t('thing.noOutput') : fieldWords(service.output, call.output);
  return (
    <li className="m-thing-call">
      <span className="m-row m-row-wrap">
        <StateTag machine={commandMachine} code={call.state} />
        <span className="m-muted m-small">{t('thing.wanted.by', { by: call.by ?? '', at: format.moment(call.at, 'second') })}</span>
        {mayWithdraw && (call.state === 'waiting' || call.state === 'sent') ? (
          <Withdraw commandId={call.commandId} of={service.name} />
        ) : null}
      </span>
      {asked ? (
        <span>
          {t('thing.input')}: {asked}
        </span>
      ) : null}
      {call.state === 'done' ? (
        <span>
          {t('thing.output')}: <b>{answer}</b>
        </span>
      ) : null}
      {call.state === 'failed' || call.reason === 'doneLate' ? <span>{reasonWords(call)}</span> : null}
      {call.misfits.map((one) => (
        <Tag key={`${one.at} ${one.problem}`} tone="warn">
          {t('thing.misfit', { what: misfitWords(one) })}
        </Tag>
      ))}
    </li>
  );
}

/** Whether a call that was just made is still waited for: live, some seconds long. */
function useHold(service: Service) {
  const [held, setHeld] = useState<number>();
  const answered = service.calls.some((call) => call.commandId === held && call.state !== 'waiting' && call.state !== 'sent');
  useEffect(() => {
    if (held === undefined) return;
    const timer = setTimeout(() => setHeld(undefined), HOLD_MS);
    return () => clearTimeout(timer);
  }, [held]);
  return { holding: held !== undefined && !answered, hold: setHeld };
}

function ServiceCard({ device, service, mayCall }: { device: Device; service: Service; mayCall: boolean }) {
  const t = useT();
  const { id, name, input } = service;
  const [drafts, setDrafts] = useState(() => blankFields(input));
  const [problems, setProblems] = useState<Problems>({});
  const { holding, hold } = useHold(service);
  const expiry = useExpiry();
  const act = useAct(deviceThingCalls.call, { hidden: true });
  const put = (field: string, next: Draft) => {
    setDrafts({ ...drafts, [field]: next });
    setProblems({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const values = withoutGaps(Object.fromEntries(input.map((one) => [one.id, drafts[one.id]]))) as Record<string, never>;
    const misfits = wrongInput(service, values);
    setProblems(problemsOf(misfits));
    const hours = expiry.read();
    if (misfits.length > 0 || hours === undefined) return;
    try {
      const { commandId } = await act.ask({ id: device.id, service: id, input: values, hours });
      toast('done', t('thing.called', { name, sn: device.sn }));
      if (service.sync) hold(commandId);
    } catch (error) {
      if (!isCallError(error)) throw error;
      const found = problemsFrom(error.fields, 'input');
      setProblems(Object.keys(found).length > 0 ? found : { '': { text: error.message } });
    }
  };
  const wrong = problems[''];
  return (
    <li className="m-thing-service">
      <h3>{name}</h3>
      <p className="m-muted m-small">
        <span className="m-mono">{id}</span> · {t(service.sync ? 'thing.sync.yes' : 'thing.sync.no')}
      </p>
      {mayCall ? (
        <form className="m-stack" noValidate aria-label={t('thing.callOf', { name })} onSubmit={(event) => void submit(event)}>
          {input.length > 0 ? (
            <div className="m-grid">
              {input.map((field) => (
                <ValueControl
                  key={field.id}
                  type={field.dataType}
                  label={field.name}
                  at={field.id}
                  value={drafts[field.id]}
                  problems={problems}
                  onChange={(next) => put(field.id, next)}
                />
              ))}
            </div>
          ) : null}
          <Expiry of={expiry} />
          {wrong ? <Note tone="danger">{wordsOf(wrong)}</Note> : null}
          <div className="m-row">
            <Button submit of={name} busy={act.busy || holding}>
              {t('thing.call')}
            </Button>
            {holding ? (
              <span className="m-muted" role="status">
                {t('thing.holding')}
              </span>
            ) : null}
          </div>
        </form>
      ) : null}
      {service.calls.length === 0 ? (
        <p className="m-muted">{t('thing.noCalls')}</p>
      ) : (
        <ol className="m-thing-calls" aria-label={`${t('thing.calls')}: ${name}`} aria-live="polite">
          {service.calls.map((call) => (
            <CallLine key={call.commandId} service={service} call={call} mayWithdraw={mayCall} />
          ))}
        </ol>
      )}
    </li>
  );
}

/** What the terminal can be asked to do, with its last answers. */
export function Services({ device, state }: { device: Device; state: ThingState }) {
  const t = useT();
  if (state.services.length === 0) return null;
  return (
    <section className="m-panel" aria-labelledby="thing-services">
      <header className="m-panel-head">
        <h2 id="thing-services">{t('thing.services')}</h2>
      </header>
      <ul className="m-thing-services">
        {state.services.map((service) => (
          <ServiceCard key={service.id} device={device} service={service} mayCall={allows(state, 'call')} />
        ))}
      </ul>
    </section>
  );
}
