import type { TokenBrief } from '@mooring/contract/account/token-brief';
import type { z } from 'zod';
import { Checkbox } from '../../ui/controls.tsx';
import { useFormat, useT } from '../../ui/words.ts';

type Token = z.output<typeof TokenBrief>;

/** API tokens live on after a change of the password: whoever changes it sees them, and says whether they should. */
export function TokenChoice(props: {
  tokens: readonly Token[];
  revoke: boolean;
  onRevoke: (revoke: boolean) => void;
  disabling?: boolean;
}) {
  const t = useT();
  const format = useFormat();
  if (props.tokens.length === 0) return null;
  return (
    <section className="m-stack-tight" aria-labelledby="token-choice">
      <p id="token-choice">{t(props.disabling ? 'token.choice.disabled' : 'token.choice.about', { count: props.tokens.length })}</p>
      <ul className="m-token-choice">
        {props.tokens.map((one) => (
          <li key={one.id}>
            {one.name} <span className="m-mono m-muted">{one.hint}…</span>{' '}
            <span className="m-muted">
              {one.lastUsedAt ? t('token.choice.used', { at: format.moment(one.lastUsedAt) }) : t('token.choice.unused')}
            </span>
          </li>
        ))}
      </ul>
      <Checkbox value={props.revoke} onChange={props.onRevoke}>
        {t('token.choice.revoke', { count: props.tokens.length })}
      </Checkbox>
    </section>
  );
}
