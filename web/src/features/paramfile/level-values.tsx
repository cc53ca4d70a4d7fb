import { paramFaults } from '@mooring/contract/paramfile/android-calls';
import { ownValue } from '@mooring/contract/paramfile/resolve';
import { isGiven, type TemplateField, type Wrong, wrongValue } from '@mooring/contract/paramfile/template-fields';
import type { ControlPart, Values } from '../../kit/form/types.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls.tsx';
import { Field, Unlinked, useFieldLink } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useT } from '../../ui/words.ts';
import { ParamValue } from './param-values.tsx';
import { type LevelView, placeWords, sourceWords } from './places.ts';
import { useLeft } from './use-left.ts';
import { type Value, valueWords } from './value-words.ts';

interface Secret {
  readonly key: string;
  readonly value: string;
}
type Inherited = LevelView['inherited'][number];
interface RowProps {
  readonly field: TemplateField;
  readonly inherited: Inherited;
  readonly value: unknown;
  /** A secret that stands and is kept. */
  readonly kept: boolean;
  readonly locked: boolean;
  readonly fixed: boolean;
  readonly error: string | undefined;
  readonly onValue: (value: Value | undefined) => void;
  readonly onReset: () => void;
  readonly onLock: (locked: boolean) => void;
  readonly onLeave: () => void;
}

const inheritedWords = ({ value, isSet, from }: Inherited): string => (isSet ? valueWords(value as Value | null) : sourceWords(from));

/** A field that is locked above: what counts, who locked it, and what is kept here without counting. */
function LockedRow({ field, inherited, value, kept }: Pick<RowProps, 'field' | 'inherited' | 'value' | 'kept'>) {
  const t = useT();
  const stands = isGiven(value) || kept;
  const { lockedBy } = inherited;
  return (
    <div className="m-field">
      <span className="m-field-label">{field.label || field.key}</span>
      <span>{inherited.isSet ? `${inheritedWords(inherited)} · ${sourceWords(inherited.from)}` : t('paramLevel.from.none')}</span>
      <span className="m-field-help">
        <Icon name="lock" /> {lockedBy ? t('paramLevel.lockedBy', { place: placeWords(lockedBy) }) : ''}
      </span>
      {field.help ? <span className="m-field-help">{field.help}</span> : null}
      {stands ? (
        <span className="m-field-help">{t('paramLevel.notInForce', { value: valueWords(kept ? null : (value as Value)) })}</span>
      ) : null}
    </div>
  );
}

/** One field at a place: its own value, what it would inherit, a lock for all below, and the way back to what is inherited. */
function FieldRow({ field, inherited, value, kept, locked, fixed, error, onValue, onReset, onLock, onLeave }: RowProps) {
  const t = useT();
  const name = field.label || field.key;
  const help = inherited.isSet
    ? t('paramLevel.inherited', { value: inheritedWords(inherited), from: sourceWords(inherited.from) })
    : t('paramLevel.nothing');
  return (
    <div className="m-stack-tight">
      <Field
        label={name}
        optional
        error={error}
        help={[field.help, ...(kept ? [t('androidParam.setKeep')] : []), help].filter(Boolean).join(' · ')}
      >
        <ParamValue field={{ ...field, required: false }} value={value} onChange={onValue} onBlur={onLeave} />
      </Field>
      {fixed ? null : (
        <div className="m-row m-row-wrap">
          <Unlinked>
            <Checkbox value={locked} onChange={onLock} label={t('paramLevel.lock', { field: name })}>
              {t('paramLevel.lockShort')}
            </Checkbox>
          </Unlinked>
          {isGiven(value) || kept ? (
            <Button small onClick={onReset} of={name}>
              {t('paramLevel.reset')}
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
}

/** The fields of a template as they stand at one place. Secrets, kept secrets and locks are inputs of the same form. */
export function LevelValues({ level, value, onChange, values: form, set }: { level: LevelView } & ControlPart<Values | undefined>) {
  const t = useT();
  const { left, leave } = useLeft();
  const isJudged = useFieldLink().invalid === true;
  const values = value ?? {};
  const secrets = ((form.secrets ?? []) as readonly Secret[]).filter((one) => one.value !== '');
  const secretKeys = (form.secretKeys ?? []) as readonly string[];
  const locked = (form.locked ?? []) as readonly string[];
  const words = (field: TemplateField, { problem, limit }: Wrong) =>
    problem === 'required'
      ? t('invalid.required')
      : t(`fault.${paramFaults[problem]}`, { field: field.label || field.key, limit: limit ?? 0 });
  const put = ({ key, type }: TemplateField, next: Value | undefined) => {
    if (type === 'secret') return set('secrets', [...secrets.filter((one) => one.key !== key), ...(next ? [{ key, value: next }] : [])]);
    const { [key]: _before, ...others } = values;
    return onChange(next === undefined || next === '' ? others : { ...others, [key]: next });
  };
  const reset = (field: TemplateField) => {
    put(field, undefined);
    if (secretKeys.includes(field.key))
      set(
        'secretKeys',
        secretKeys.filter((one) => one !== field.key),
      );
  };
  return (
    <div className="m-ring">
      {level.fields.map((field) => {
        const { key, type } = field;
        const inherited = level.inherited.find((one) => one.key === key);
        if (!inherited) return null;
        const own = type === 'secret' ? secrets.find((one) => one.key === key)?.value : ownValue(values, key);
        const kept = type === 'secret' && secretKeys.includes(key);
        if (inherited.lockedBy) return <LockedRow key={key} field={field} inherited={inherited} value={own} kept={kept} />;
        const wrong = isGiven(own) ? wrongValue(field, own) : undefined;
        const isSaid = isJudged || left.has(key);
        const isUnfit = level.unfit.includes(key) && own === ownValue(level.values, key) && isGiven(own);
        return (
          <FieldRow
            key={key}
            field={field}
            inherited={inherited}
            value={own}
            kept={kept && !isGiven(own)}
            locked={locked.includes(key)}
            fixed={!level.maySave}
            error={isUnfit ? t('paramLevel.unfit') : wrong && isSaid ? words(field, wrong) : undefined}
            onValue={(next) => put(field, next)}
            onReset={() => reset(field)}
            onLock={(on) => set('locked', on ? [...locked, key] : locked.filter((one) => one !== key))}
            onLeave={() => leave(key)}
          />
        );
      })}
    </div>
  );
}
