/** The marks of a path prefix (specification, section 7): `/test-eu/device/device` calls `/test-eu/ops/…`. */
export function prefixOf(pathname: string): string {
  const first = pathname.split('/')[1] ?? '';
  return /(beta|dev|prod|test|mooring)-/.test(first) ? `/${first}` : '';
}

export const prefix = prefixOf(globalThis.location?.pathname ?? '/');
export const OPS = `${prefix}/ops`;
/** An address of this console as the browser shows it. */
export const hrefOf = (to: string): string => (to.startsWith('/') ? prefix + to : to);
