import { wrongToSet } from '@mooring/contract/device/thing/check-values';
import { deviceThingCalls } from '@mooring/contract/device/thing/thing-calls';
import { useEffect, useRef, useState } from 'react';
import type { ControlPart } from '../../../kit/form/types.ts';
import { useCall } from '../../../kit/queries.ts';
import { Select } from '../../../ui/controls.tsx';
import { Unlinked, useOwnError } from '../../../ui/field.tsx';
import { useT } from '../../../ui/words.ts';
import { ValueControl } from './value-control.tsx';
import { blank, type Draft, type Problems, withoutGaps } from './value-drafts.ts';
import { useMisfitWords } from './value-words.ts';

const none: Problems = {};

/** A property of the product that the form names, and its value; what doesn't fit the model holds the form. */
export function ValuesControl({ onChange, onBlur, values, disabled }: ControlPart<Record<string, unknown> | undefined>) {
  const t = useT();
  const misfitWords = useMisfitWords();
  const productId = values.productId as number | undefined;
  const found = useCall(deviceThingCalls.settable, { productId: productId ?? 0 }, { enabled: productId !== undefined });
  const [id, setId] = useState<string>();
  const [draft, setDraft] = useState<Draft>();
  const [touched, setTouched] = useState(false);
  const last = useRef(productId);
  useEffect(() => {
    if (last.current === productId) return;
    last.current = productId;
    setId(undefined);
    onChange(undefined);
  }, [productId, onChange]);
  const properties = found.data?.properties ?? [];
  const property = properties.find((one) => one.id === id);
  const put = (next: Draft, of: string | undefined, isTouched: boolean) => {
    setDraft(next);
    setTouched(isTouched);
    const given = withoutGaps({ [of ?? '']: next }) as Record<string, unknown>;
    // What is chosen alone arms no value that nobody gave.
    onChange(isTouched && of !== undefined && Object.keys(given).length > 0 ? given : undefined);
  };
  const choose = (next: string | undefined) => {
    setId(next);
    const chosen = properties.find((one) => one.id === next);
    put(chosen && blank(chosen.dataType), next, false);
  };
  const given = withoutGaps({ [id ?? '']: draft }) as Record<string, unknown>;
  const [wrong] = touched && property && Object.keys(given).length > 0 ? wrongToSet({ properties }, given) : [];
  useOwnError(wrong && misfitWords({ ...wrong, at: wrong.at === id ? '' : wrong.at }));
  if (productId === undefined) return <span className="m-muted">{t('thing.setMany.first')}</span>;
  if (found.data && properties.length === 0) return <span className="m-muted">{t('thing.setMany.none')}</span>;
  return (
    <div className="m-stack">
      <Select
        value={id}
        options={properties.map((one) => ({ value: one.id, label: one.name }))}
        busy={found.loading}
        disabled={disabled}
        onBlur={onBlur}
        onChange={choose}
      />
      {property ? (
        <Unlinked>
          <ValueControl
            key={property.id}
            type={property.dataType}
            label={property.name}
            at={property.id}
            value={draft}
            problems={none}
            onChange={(next) => put(next, id, true)}
          />
        </Unlinked>
      ) : null}
    </div>
  );
}
