import { userCalls } from '@mooring/contract/account/calls';
import { profileCalls } from '@mooring/contract/account/own-calls';
import { useRef, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { useNamedCountries } from '../../kit/countries.ts';
import { chooseLanguage, languages } from '../../kit/language.ts';
import { Link } from '../../kit/link.tsx';
import { page } from '../../kit/page.tsx';
import { useSession } from '../../kit/session.ts';
import { reloadUser } from '../../kit/user.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useStore } from '../../ui/store.ts';
import { toast } from '../../ui/toast.tsx';
import { speech, useT } from '../../ui/words.ts';
import { Card, Line } from './card.tsx';
import { smallPicture } from './small-picture.ts';

const zones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Does one change about oneself, shows it, and says so. */
function useOwn() {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
      await reloadUser();
      toast('done', t('account.saved'));
      return true;
    } catch (error) {
      toast('error', messageOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}

function Picture() {
  const t = useT();
  const { user } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const { busy, run } = useOwn();
  return (
    <div className="m-row m-row-wrap">
      {user?.picture ? (
        <img className="m-portrait" src={user.picture} alt="" width={72} height={72} />
      ) : (
        <span className="m-portrait m-portrait-none">
          <Icon name="user" />
        </span>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void run(async () => api(profileCalls.image, { image: await smallPicture(file) }, { hidden: true }));
        }}
      />
      <Button busy={busy} onClick={() => input.current?.click()}>
        {t('account.picture.choose')}
      </Button>
      {user?.picture ? (
        <Button look="quiet" disabled={busy} onClick={() => void run(() => api(profileCalls.image, { image: null }, { hidden: true }))}>
          {t('account.picture.remove')}
        </Button>
      ) : null}
    </div>
  );
}

function NameField() {
  const t = useT();
  const { user } = useSession();
  const [name, setName] = useState(user?.userName ?? '');
  const { busy, run } = useOwn();
  const changed = name.trim() !== '' && name.trim() !== user?.userName;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !busy) void run(() => api(profileCalls.editName, { name: name.trim() }, { hidden: true }));
      }}
    >
      <Field label={t('account.name')} id="account-name" error={name.trim() === '' ? t('invalid.required') : undefined}>
        <span className="m-row">
          <TextInput value={name} onChange={setName} max={64} autoComplete="name" />
          <Button submit busy={busy} disabled={!changed}>
            {t('kit.save')}
          </Button>
        </span>
      </Field>
    </form>
  );
}

function Preferences() {
  const t = useT();
  const { user } = useSession();
  const known = useStore(languages);
  const { lang, timeZone } = useStore(speech);
  const { run } = useOwn();
  const named = useNamedCountries();
  return (
    <>
      <Field label={t('account.country')} id="account-country">
        <Select
          value={user?.country ?? undefined}
          onChange={(country) => void run(() => api(profileCalls.country, { country: country ?? null }, { hidden: true }))}
          options={named}
          clear
        />
      </Field>
      <Field label={t('account.language')} id="account-language">
        <Select
          value={known.find((one) => one.langCode === lang)?.langCode}
          onChange={(code) => code && void run(() => chooseLanguage(code))}
          options={known.map((one) => ({ value: one.langCode, label: one.language }))}
        />
      </Field>
      <Field label={t('account.timeZone')} id="account-zone">
        <Select
          value={user?.timeZone ?? timeZone}
          onChange={(zone) => zone && void run(() => api(userCalls.editAccount, { timeZone: zone }, { hidden: true }))}
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        />
      </Field>
    </>
  );
}

function Profile() {
  const t = useT();
  const { user, platform } = useSession();
  if (!user) return null;
  return (
    <div className="m-stack m-account">
      <Card
        title="account.profile"
        acts={<Link to={platform === 'centre' ? '/accountSetting' : '/manager/accountSetting'}>{t('account.security')}</Link>}
      >
        <Picture />
        <NameField />
        <Preferences />
      </Card>
      <Card title="realName.title" text="realName.card.text" acts={<Link to="/auth/person">{t('realName.open')}</Link>} />
      <Card title="absence.title" text="absence.card" acts={<Link to="/absence">{t('absence.open')}</Link>} />
      <Card title="account.organisation">
        <ul className="m-plain-list">
          <Line name={t('account.account')} value={user.account} />
          <Line name={t('account.dept')} value={user.relateDept.deptName} />
          <Line name={t('account.userType')} value={t(user.relateDept.userType === '1' ? 'account.userType.1' : 'account.userType.2')} />
          <Line name={t('account.role')} value={user.role.join(', ') || t('account.none')} />
          <Line name={t('account.email')} value={user.email ?? t('account.none')} />
          <Line name={t('account.mobile')} value={user.mobile ?? t('account.none')} />
        </ul>
      </Card>
    </div>
  );
}

export const profilePage = page({ title: 'account.title', Body: Profile });
