import { settingCalls } from '@mooring/contract/settings/calls';
import { type ReactNode, useEffect } from 'react';
import { Brand, useBrand } from '../../kit/brand.tsx';
import { LanguageMenu, ThemeMenu } from '../../kit/look-menus.tsx';
import { useCall } from '../../kit/queries.ts';
import { type TextKey, useT } from '../../ui/words.ts';

/** The door: the picture on one side, what is to be filled in on the other. */
export function DoorFrame({ title, children }: { title: TextKey; children: ReactNode }) {
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
        style={data?.loginPageImg ? { backgroundImage: `url(${JSON.stringify(data.loginPageImg)})` } : undefined}
      >
        <Brand large />
        {data?.loginPageImg ? null : <Harbour />}
        <p>{t('auth.lead')}</p>
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
        <div className="m-login-form m-stack">{children}</div>
        <p className="m-small m-faint">{[data?.companyName, data?.companyAddress].filter(Boolean).join(' · ')}</p>
      </main>
    </div>
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
