import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { BrandMark } from '../../kit/brand.tsx';
import type { Section, Values } from '../../kit/form/types.ts';
import { useT } from '../../ui/words.ts';
import { ProductPictures, RelationLinks } from './items-field.tsx';
import { PictureField, sourceOf } from './picture-field.tsx';
import { SettingForm } from './setting-form.tsx';

const sections: readonly Section<typeof systemSettingCalls.branding.input._zod.input>[] = [
  {
    fields: [
      { name: 'systemName', label: 'settings.branding.systemName', help: 'settings.branding.systemName.help' },
      { name: 'companyName', label: 'settings.branding.companyName' },
      { name: 'companyAddress', label: 'settings.branding.companyAddress', kind: 'text', wide: true },
      { name: 'systemLogo', label: 'settings.branding.systemLogo', Control: PictureField },
      { name: 'loginPageImg', label: 'settings.branding.loginPageImg', Control: PictureField },
    ],
  },
  {
    title: 'settings.branding.productList',
    text: 'settings.branding.productList.help',
    fields: [{ name: 'productList', label: 'settings.branding.productList', Control: ProductPictures }],
  },
  {
    title: 'settings.branding.relationPageList',
    text: 'settings.branding.relationPageList.help',
    fields: [{ name: 'relationPageList', label: 'settings.branding.relationPageList', Control: RelationLinks }],
  },
];

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** What people will see, while it is typed. */
function Preview({ values }: { values: Values }) {
  const t = useT();
  const logo = text(values.systemLogo);
  const picture = text(values.loginPageImg);
  const brand = <BrandMark name={text(values.systemName) || 'Mooring'} logo={logo ? sourceOf(logo) : undefined} />;
  return (
    <aside className="m-panel m-panel-body m-stack m-preview" aria-label={t('settings.branding.preview')}>
      <h2>{t('settings.branding.preview')}</h2>
      <span className="m-muted m-small">{t('settings.branding.preview.bar')}</span>
      <div className="m-preview-bar">{brand}</div>
      <span className="m-muted m-small">{t('settings.branding.preview.login')}</span>
      <div className="m-preview-login">
        <div style={picture ? { backgroundImage: `url(${JSON.stringify(sourceOf(picture))})` } : undefined}>{brand}</div>
        <p className="m-small m-faint">{[text(values.companyName), text(values.companyAddress)].filter(Boolean).join(' · ')}</p>
      </div>
    </aside>
  );
}

export const BrandingTab = () => (
  <SettingForm type="branding" call={systemSettingCalls.branding} sections={sections} preview={(values) => <Preview values={values} />} />
);
