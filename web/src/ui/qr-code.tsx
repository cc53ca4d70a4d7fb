import { QRCode } from 'antd';

/** A code for a scanner, dark on light in both themes: many scanners read no other. `label` is what it is read as. */
export const QrCode = ({ value, label, size = 140 }: { value: string; label: string; size?: number }) => (
  <span role="img" aria-label={label} className="m-qr">
    <span aria-hidden>
      <QRCode value={value} size={size} color="#000000" bgColor="#ffffff" bordered={false} type="svg" />
    </span>
  </span>
);
