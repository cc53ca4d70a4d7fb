import { settingCalls } from '@mooring/contract/settings/calls';
import { OPS } from './base.ts';
import { useCall } from './queries.ts';

const NAME = 'Mooring';

/** The address of a picture of the branding: by its digest, or as the settings name it. */
export const pictureUrl = (picture: string): string =>
  `${OPS}${picture.startsWith('/') ? picture : `/unLogin/pageSetting/picture/${picture}`}`;

/** The name and picture from the settings, else our own. */
export function useBrand(): { name: string; logo: string | undefined } {
  const { data } = useCall(settingCalls.pageSetting, {});
  return { name: data?.systemName || NAME, logo: data?.systemLogo ? pictureUrl(data.systemLogo) : undefined };
}

const Mark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#0a6a74" />
    <g fill="none" stroke="#fff" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="16" cy="8.500" r="2.300" />
      <path d="M16 10.800V25M12 14.500h8M7.500 18.500C8 22.500 11.500 25 16 25s8-2.500 8.500-6.500M7.500 18.500l-1.300 2.300M7.500 18.500l2.300 1.300M24.500 18.500l1.300 2.300M24.500 18.500l-2.300 1.300" />
    </g>
  </svg>
);

export function BrandMark({ name, logo, large, bare }: { name: string; logo: string | undefined; large?: boolean; bare?: boolean }) {
  return (
    <span className={`m-brand${large ? ' m-brand-large' : ''}`}>
      {logo ? <img src={logo} alt="" height={large ? 40 : 24} /> : <Mark size={large ? 40 : 24} />}
      {bare ? null : <b>{name}</b>}
    </span>
  );
}

export const Brand = (look: { large?: boolean; bare?: boolean }) => <BrandMark {...useBrand()} {...look} />;
