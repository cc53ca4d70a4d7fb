import type { ReactNode } from 'react';

/** Names and values in little room. What has no value is left out. */
export const FactList = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="m-facts-small">
    {facts.map(([name, value]) =>
      value === '' || value === undefined ? null : (
        <div key={name}>
          <dt className="m-muted m-small">{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);
