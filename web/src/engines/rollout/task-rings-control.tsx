import { Ring } from '@mooring/contract/engines/rollout/rings';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { useState } from 'react';
import { useDepts, useGroups, useMerchants } from '../../kit/choices.ts';
import { check } from '../../kit/form/schema.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { MultiSelect, NumberInput, Select, Switch } from '../../ui/controls.tsx';
import { Field, useFieldLink } from '../../ui/field.tsx';
import { useT, wordsOf } from '../../ui/words.ts';
import { useTags } from './choices.ts';
import { allAtOnce, kindOf, type RingDraft, type RingKind, ringAs, ringKinds, usualRings, withoutRing, withRing } from './ring-draft.ts';
import { SnList } from './sn-list.tsx';

interface Part {
  ring: RingDraft;
  put: (ring: RingDraft) => void;
}
const listOf = <V,>(value: unknown) => (Array.isArray(value) ? value : []) as V[];
const optionsOf = (choices: readonly { value: string | number; label: Parameters<typeof wordsOf>[0] }[]) =>
  choices.map((one) => ({ value: one.value, label: wordsOf(one.label) }));

interface NamedProps extends Part {
  name: 'deptIds' | 'groupIds' | 'merchantIds';
  useChoices: typeof useDepts | typeof useGroups | typeof useMerchants;
}
/** Organisations, groups or merchants. */
function Named({ ring, put, name, useChoices }: NamedProps) {
  const [text, setText] = useState('');
  const chosen = listOf<number>(ring[name]);
  const { choices, busy } = useChoices(text, chosen);
  return (
    <MultiSelect
      value={chosen as (string | number)[]}
      onChange={(ids) => put({ ...ring, [name]: ids as number[] })}
      options={optionsOf(choices)}
      onSearch={setText}
      busy={busy}
    />
  );
}

function Tags({ ring, put }: Part) {
  const { choices, busy } = useTags();
  return (
    <MultiSelect
      value={listOf<string | number>(ring.tags)}
      onChange={(tags) => put({ ...ring, tags: tags as string[] })}
      options={optionsOf(choices)}
      busy={busy ?? false}
    />
  );
}

/** A number of a ring; what is wrong with it stands below it. */
function Figure({ ring, put, name, label, unit, none }: Part & { name: keyof Ring; label: string; unit: string; none?: boolean }) {
  const t = useT();
  const words = ring[name] === null && !none ? 'invalid.required' : check(Ring, ring as Record<string, unknown>)[name];
  return (
    <Field label={label} optional={none ?? false} error={words && wordsOf(words)}>
      <NumberInput
        value={(ring[name] ?? undefined) as number | string | undefined}
        onChange={(value) => put({ ...ring, [name]: value ?? (name === 'soakMinutes' ? undefined : null) })}
        unit={t(unit === 'min' ? 'kit.unit.minutes' : 'kit.unit.percent')}
      />
    </Field>
  );
}

/** Merchants are for who may look them up; a ring that names some keeps them. */
const offered = (kind: RingKind) => ringKinds.filter((one) => one !== 'merchantIds' || one === kind || mayCall(merchantCalls.search));

function OneRing({ ring, at, last, put, onRemove }: Part & { at: number; last: boolean; onRemove: () => void }) {
  const t = useT();
  const kind = kindOf(ring);
  const name = t('ring.no', { ring: at + 1 });
  // An empty list is said to be missing once the rings as a whole were judged.
  const isWrong = useFieldLink().invalid === true;
  return (
    <fieldset className="m-ring">
      <legend>{name}</legend>
      {last ? (
        <p className="m-muted m-ring-rest">{t('ring.rest')}</p>
      ) : (
        <>
          <Field label={t('ring.of')}>
            <Select
              value={kind}
              onChange={(next) => put(ringAs(ring, next ?? 'share'))}
              options={offered(kind).map((one) => ({ value: one, label: t(`ring.of.${one}`) }))}
            />
          </Field>
          {kind === 'share' ? (
            <Figure ring={ring} put={put} name="share" label={t('ring.share')} unit="percent" />
          ) : (
            <Field
              label={t(`ring.of.${kind}`)}
              group={kind === 'sns'}
              error={isWrong && listOf(ring[kind]).length === 0 ? t('invalid.required') : undefined}
            >
              {kind === 'deptIds' ? <Named ring={ring} put={put} name="deptIds" useChoices={useDepts} /> : null}
              {kind === 'groupIds' ? <Named ring={ring} put={put} name="groupIds" useChoices={useGroups} /> : null}
              {kind === 'merchantIds' ? <Named ring={ring} put={put} name="merchantIds" useChoices={useMerchants} /> : null}
              {kind === 'tags' ? <Tags ring={ring} put={put} /> : null}
              {kind === 'sns' ? (
                <SnList value={listOf<string>(ring.sns)} onChange={(sns) => put({ ...ring, sns: sns ?? [] })} onBlur={() => {}} />
              ) : null}
            </Field>
          )}
        </>
      )}
      <Figure ring={ring} put={put} name="haltAt" label={t('ring.haltAt')} unit="percent" none />
      {last ? null : (
        <>
          <Figure ring={ring} put={put} name="openAt" label={t('ring.openAt')} unit="percent" />
          <Figure ring={ring} put={put} name="soakMinutes" label={t('ring.soak')} unit="min" none />
          <Field label={t('ring.waitForPerson')}>
            <Switch value={ring.waitForPerson === true} onChange={(waitForPerson) => put({ ...ring, waitForPerson })} />
          </Field>
          <Button small icon="delete" onClick={onRemove} of={name}>
            {t('ring.remove')}
          </Button>
        </>
      )}
    </fieldset>
  );
}

/** All at once, or in rings: who goes first, and what has to be true before the next ones follow. */
export function RingsControl({ value, onChange }: ControlPart<readonly RingDraft[] | undefined>) {
  const t = useT();
  const rings = value ?? allAtOnce;
  if (rings.length < 2) {
    return (
      <div className="m-row m-row-wrap">
        <span className="m-muted m-grow">{t('ring.allAtOnce')}</span>
        <Button small icon="add" onClick={() => onChange(usualRings)}>
          {t('ring.use')}
        </Button>
      </div>
    );
  }
  return (
    <div className="m-stack">
      {rings.map((ring, at) => (
        <OneRing
          // biome-ignore lint/suspicious/noArrayIndexKey: a ring is its place
          key={at}
          ring={ring}
          at={at}
          last={at === rings.length - 1}
          put={(next) => onChange(rings.map((one, other) => (other === at ? next : one)))}
          onRemove={() => onChange(withoutRing(rings, at))}
        />
      ))}
      <div className="m-row m-row-wrap">
        {rings.length < 10 ? (
          <Button small icon="add" onClick={() => onChange(withRing(rings))}>
            {t('ring.add')}
          </Button>
        ) : null}
        <Button small onClick={() => onChange(allAtOnce)}>
          {t('ring.none')}
        </Button>
      </div>
    </div>
  );
}
