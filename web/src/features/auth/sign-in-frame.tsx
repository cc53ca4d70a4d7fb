import { type PageSetting, settingCalls } from '@mooring/contract/settings/calls';
import { type ReactNode, useEffect } from 'react';
import { Brand, pictureUrl, useBrand } from '../../kit/brand.tsx';
import { Link } from '../../kit/link.tsx';
import { LanguageMenu, ThemeMenu } from '../../kit/look-menus.tsx';
import { useCall } from '../../kit/queries.ts';
import { type TextKey, useT } from '../../ui/words.ts';

/** The door: the picture on one side, what is to be filled in on the other. */
export function SignInFrame({ title, children }: { title: TextKey; children: ReactNode }) {
  const t = useT();
  const brand = useBrand();
  const { data } = useCall(settingCalls.pageSetting, {});
  useEffect(() => {
    document.title = `${t(title)} · ${brand.name}`;
  }, [t, title, brand.name]);
  return (
    <div className="m-login">
      <aside
        className="m-login-side"
        style={data?.loginPageImg ? { backgroundImage: `url(${JSON.stringify(pictureUrl(data.loginPageImg))})` } : undefined}
      >
        <Brand large />
        {data?.loginPageImg ? null : <Harbour />}
        <p>{t('auth.lead')}</p>
        <Pictures products={data?.productList ?? []} />
      </aside>
      <main className="m-login-main">
        <div className="m-row m-login-tools">
          <span className="m-login-brand">
            <Brand />
          </span>
          <span className="m-grow" />
          <LanguageMenu />
          <ThemeMenu />
        </div>
        <div className="m-login-form m-stack">
          {children}
          <p>
            <Link to="/login/help">{t('help.open')}</Link>
          </p>
        </div>
        <Links links={data?.relationPageList ?? []} />
        <p className="m-small m-faint">{[data?.companyName, data?.companyAddress].filter(Boolean).join(' · ')}</p>
      </main>
    </div>
  );
}

/** An address that a person gave opens in a tab of its own and learns nothing of this one. */
const away = { target: '_blank', rel: 'noreferrer' } as const;

function Pictures({ products }: { products: PageSetting['productList'] }) {
  const t = useT();
  if (products.length === 0) return null;
  const picture = (image: string) => <img src={pictureUrl(image)} alt="" height={72} />;
  return (
    <ul className="m-door-list" aria-label={t('auth.products')}>
      {products.map(({ image, link }) => (
        <li key={`${image}${link}`}>
          {link ? (
            <a href={link} aria-label={link} {...away}>
              {picture(image)}
            </a>
          ) : (
            picture(image)
          )}
        </li>
      ))}
    </ul>
  );
}

function Links({ links }: { links: PageSetting['relationPageList'] }) {
  const t = useT();
  if (links.length === 0) return null;
  return (
    <ul className="m-door-list m-small" aria-label={t('auth.links')}>
      {links.map(({ icon, abbr, description, link }) => (
        <li key={`${abbr}${link}`}>
          <a href={link} title={description} {...away}>
            {icon ? <img src={pictureUrl(icon)} alt="" height={16} /> : null} {abbr || link}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Terminals at their berths: lines from a quay to what it holds. */
function Harbour() {
  const berths = [
    [60, 210],
    [150, 168],
    [250, 226],
    [340, 150],
    [418, 204],
  ] as const;
  return (
    <svg className="m-harbour" viewBox="0 0 480 320" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.5">
      <path d="M0 60h480" strokeWidth="3" />
      {berths.map(([x, y], at) => (
        <g key={x}>
          <circle cx={x} cy="60" r="5" fill="currentColor" />
          <path d={`M${x} 64C${x - 14} ${y / 2 + 40} ${x + 14} ${y / 2 + 50} ${x} ${y - 34}`} opacity="0.7" />
          <rect x={x - 20} y={y - 34} width="40" height="64" rx="6" />
          <rect
            x={x - 14}
            y={y - 27}
            width="28"
            height="22"
            rx="2"
            fill={at === 2 ? 'none' : 'currentColor'}
            opacity={at === 2 ? 1 : 0.35}
          />
          {[0, 1, 2].map((column) =>
            [0, 1].map((row) => (
              <circle key={`${column}${row}`} cx={x - 10 + column * 10} cy={y + 6 + row * 10} r="2.2" fill="currentColor" opacity="0.7" />
            )),
          )}
        </g>
      ))}
      {[262, 284, 306].map((y, at) => (
        <path key={y} d={`M0 ${y}q30 -8 60 0t60 0t60 0t60 0t60 0t60 0t60 0t60 0`} opacity={0.4 - at * 0.1} />
      ))}
    </svg>
  );
}
