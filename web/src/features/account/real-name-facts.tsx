import type { RealName } from '@mooring/contract/account/real-name-calls';
import type { z } from 'zod';
import { useLooseT, useT } from '../../ui/words.ts';

type Facts = NonNullable<z.output<typeof RealName>['checked']>;

/** What a real name says, with the reason beside each field that was refused. */
export function RealNameFacts({ of, reasons = {} }: { of: Facts; reasons?: Readonly<Record<string, string | undefined>> }) {
  const t = useT();
  const loose = useLooseT();
  const rows = [
    ['name', t(`realName.${of.kind}.name`), of.name],
    ['documentKind', t('realName.documentKind'), loose(`realName.documentKind.${of.documentKind}`, of.documentKind)],
    ['number', t(of.kind === 'org' ? 'realName.org.number' : 'realName.number'), of.number],
    ...(of.legalPerson ? [['legalPerson', t('realName.legalPerson'), of.legalPerson] as const] : []),
    ['validUntil', t('realName.validUntil'), of.validUntil],
  ] as const;
  const pictures = (['front', 'back', 'licence'] as const).filter((which) => reasons[which]);
  return (
    <dl className="m-facts-small">
      {rows.map(([key, name, value]) => (
        <div key={key}>
          <dt className="m-small m-muted">{name}</dt>
          <dd>{value}</dd>
          {reasons[key] ? <dd className="m-field-error">{reasons[key]}</dd> : null}
        </div>
      ))}
      {pictures.map((which) => (
        <div key={which}>
          <dt className="m-small m-muted">{t(`realName.${which}`)}</dt>
          <dd className="m-field-error">{reasons[which]}</dd>
        </div>
      ))}
    </dl>
  );
}
