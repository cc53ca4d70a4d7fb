import { FactoryAuthority } from '@mooring/contract/device/trust';
import { Fault } from '@mooring/contract/kit/fault';
import { resource } from '../../platform/resource/resource.ts';
import { isStrong, isValidAt, mayIssue, readCertificates } from './factory-chain.ts';
import { factoryCalls } from './reg-groups.ts';

/** What is kept of the certificate, or why it can't be trusted. */
function certificateColumns(pem: string, now: Date) {
  const refuse = (name: string) => new Fault(name, { fields: { certificate: `fault.${name}` } });
  const read = readCertificates(pem);
  const [authority] = read ?? [];
  if (!authority || read?.length !== 1) throw refuse('CERTIFICATE_UNREADABLE');
  if (!mayIssue(authority, 0)) throw refuse('CERTIFICATE_NO_AUTHORITY');
  if (!isValidAt(authority, now)) throw refuse('CERTIFICATE_EXPIRED');
  if (!isStrong(authority)) throw refuse('CERTIFICATE_WEAK');
  return {
    certificate: authority.node.toString().trim(),
    fingerprint: authority.node.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: authority.read.subject,
    expires_at: authority.read.notAfter,
  };
}
/** Terminals that came in by one that is deleted stay: they have certificates of ours. */
export const factories = resource(FactoryAuthority, factoryCalls, {
  table: 'device_factory',
  small: true,
  target: (row) => row.name,
  joined: (query) =>
    query
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('product_product as p', 'p.id', 't.product_id')
      .select(['o.name as dept_name', 'p.name as product_name']),
  columns: (ctx, { certificate }) => certificateColumns(certificate, ctx.now()),
});
