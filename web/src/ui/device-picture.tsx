import type { ReactNode } from 'react';

/** Device categories of specification section 9, drawn. */
export type DeviceCategory = 'smartPos' | 'cloudSpeaker' | 'smartDesktop' | 'smartMobile' | 'mobilePos' | 'mPos' | 'mobileReader';

const keys = (x: number, y: number, columns: number, rows: number, step: number) =>
  Array.from({ length: columns * rows }, (_, at) => at).map((at) => (
    <circle key={at} cx={x + (at % columns) * step} cy={y + Math.floor(at / columns) * step} r="1.3" fill="currentColor" stroke="none" />
  ));
const screen = (x: number, y: number, width: number, height: number) => (
  <rect x={x} y={y} width={width} height={height} rx="1.5" fill="var(--primary-soft)" />
);

const drawings: Record<DeviceCategory, ReactNode> = {
  smartPos: (
    <>
      <path d="M16 8h16v-3h-16z" />
      <rect x="13" y="8" width="22" height="34" rx="3" />
      {screen(16, 12, 16, 20)}
      <path d="M20 37h8" />
    </>
  ),
  cloudSpeaker: (
    <>
      <rect x="9" y="11" width="30" height="26" rx="5" />
      <circle cx="24" cy="25" r="8" fill="var(--primary-soft)" />
      <circle cx="24" cy="25" r="2.5" />
      <path d="M14 16h4" />
    </>
  ),
  smartDesktop: (
    <>
      <path d="M7 14l4-5h26l4 5v15H7z" fill="none" />
      {screen(12, 13, 24, 12)}
      <path d="M7 29l-2 9h38l-2-9M20 34h8" />
    </>
  ),
  smartMobile: (
    <>
      <rect x="15" y="6" width="18" height="36" rx="3" />
      {screen(18, 10, 12, 24)}
      <path d="M22 38h4" />
    </>
  ),
  mobilePos: (
    <>
      <path d="M16 10c0-3 2-5 8-5s8 2 8 5" />
      <rect x="13" y="10" width="22" height="32" rx="3" />
      {screen(16, 13, 16, 10)}
      {keys(18.5, 28, 3, 3, 5.5)}
    </>
  ),
  mPos: (
    <>
      <rect x="14" y="9" width="20" height="30" rx="4" />
      {screen(17, 13, 14, 6)}
      {keys(19, 25, 3, 3, 5)}
    </>
  ),
  mobileReader: (
    <>
      <rect x="11" y="15" width="26" height="20" rx="4" />
      <path d="M24 15V9a3 3 0 0 1 6 0M16 30h16" />
      <circle cx="24" cy="23" r="3" fill="var(--primary-soft)" />
    </>
  ),
};

export function DevicePicture({ category, size = 40 }: { category: string; size?: number }) {
  const drawing = drawings[category as DeviceCategory] ?? drawings.smartPos;
  return (
    <span className="m-device-picture" style={{ inlineSize: size, blockSize: size }}>
      <svg
        viewBox="0 0 48 48"
        width={size * 0.8}
        height={size * 0.8}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinejoin="round"
        strokeLinecap="round"
        aria-hidden="true"
      >
        {drawing}
      </svg>
    </span>
  );
}
