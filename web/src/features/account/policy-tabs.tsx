import { policyCalls } from '@mooring/contract/account/policy-calls';
import { LoginPolicy, loginPresets, PasswordPolicyEdit, passwordPresets } from '@mooring/contract/auth/policy';
import type { Values } from '../../kit/form/types.ts';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { RadioGroup } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';
import { PolicyForm } from './policy-form.tsx';

function Presets({ presets, values, take }: { presets: Readonly<Record<string, Values>>; values: Values; take: (values: Values) => void }) {
  const t = useT();
  const names = [...Object.keys(presets), 'custom'] as readonly ('spec' | 'pci' | 'asvs' | 'custom')[];
  return (
    <section className="m-panel m-panel-body m-stack">
      <p className="m-muted">{t('account.policy.lead')}</p>
      <Field label={t('account.policy.preset')} group>
        <RadioGroup
          boxes
          value={String(values.preset)}
          onChange={(name) => take(presets[name] ?? {})}
          options={names.map((name) => ({ value: name, label: t(`account.policy.preset.${name}`), disabled: name === 'custom' }))}
        />
      </Field>
    </section>
  );
}

/** Said where codes are allowed, not when somebody waits for one. */
const CodesNote = ({ codes }: { codes: unknown }) => (
  <>
    {codes === 'off' ? null : <NoMail />}
    {codes === 'emailAndText' ? <NoMail channel="sms" instead="account.policy.codes.noText" /> : null}
  </>
);

export function LoginPolicyTab() {
  const texts = useSends('sms');
  return (
    <PolicyForm
      saved={({ codes }) => (codes === 'emailAndText' && !texts ? 'account.policy.saved.noText' : undefined)}
      load={policyCalls.loginDetail}
      edit={policyCalls.loginEdit}
      target="loginPolicy"
      schema={LoginPolicy}
      presets={loginPresets}
      lead={(values, take) => <Presets presets={loginPresets} values={values} take={take} />}
      sections={[
        {
          title: 'account.policy.wrong',
          fields: [
            { name: 'maxTries', label: 'account.policy.maxTries', help: 'account.policy.maxTries.help' },
            { name: 'lockMinutes', label: 'account.policy.lockMinutes', kind: 'span' },
            { name: 'captchaAfter', label: 'account.policy.captchaAfter', help: 'account.policy.captchaAfter.help' },
          ],
        },
        {
          title: 'account.policy.sessions',
          fields: [
            { name: 'idleMinutes', label: 'account.policy.idleMinutes', kind: 'span' },
            { name: 'totalMinutes', label: 'account.policy.totalMinutes', kind: 'span' },
            { name: 'sessionsPerPerson', label: 'account.policy.sessionsPerPerson', help: 'account.policy.sessionsPerPerson.help' },
          ],
        },
        {
          title: 'account.policy.who',
          fields: [
            {
              name: 'mfa',
              label: 'account.policy.mfa',
              help: 'account.policy.mfa.help',
              kind: 'radio',
              names: 'account.policy.mfa.',
              wide: true,
            },
            { name: 'addresses', label: 'account.policy.addresses', help: 'account.policy.addresses.help', kind: 'tags', wide: true },
            {
              name: 'codes',
              label: 'account.policy.codes',
              help: 'account.policy.codes.help',
              kind: 'radio',
              names: 'account.policy.codes.',
              wide: true,
            },
          ],
          below: ({ codes }) => <CodesNote codes={codes} />,
        },
      ]}
    />
  );
}

export const PasswordPolicyTab = () => (
  <PolicyForm
    load={policyCalls.pwdDetail}
    edit={policyCalls.pwdEdit}
    target="passwordPolicy"
    schema={PasswordPolicyEdit}
    presets={passwordPresets}
    lead={(values, take) => <Presets presets={passwordPresets} values={values} take={take} />}
    sections={[
      {
        title: 'account.policy.form',
        fields: [
          { name: 'passwordMinLength', label: 'account.policy.passwordMinLength' },
          { name: 'passwordMaxLength', label: 'account.policy.passwordMaxLength' },
          { name: 'charTypeMin', label: 'account.policy.charTypeMin', help: 'account.policy.charTypeMin.help' },
          { name: 'sameCharLimit', label: 'account.policy.sameCharLimit', help: 'account.policy.zeroOff' },
        ],
      },
      {
        title: 'account.policy.time',
        fields: [
          { name: 'remainValidPeriod', label: 'account.policy.remainValidPeriod', help: 'account.policy.zeroOff' },
          { name: 'history', label: 'account.policy.history', help: 'account.policy.zeroOff' },
          { name: 'expiresWithMfa', label: 'account.policy.expiresWithMfa', kind: 'switch', wide: true },
        ],
      },
    ]}
  />
);
