/** @type {import('./command-line.mjs').Declared} */
export const fleetCommand = {
  about: 'Virtual terminals: true clients of the device protocol, in one process.',
  options: {
    count: { value: 'N', is: 'count', default: '50', about: 'how many' },
    server: { value: 'URL', default: 'http://127.0.0.1:8080', about: 'the server' },
    ca: { value: 'FILE', about: 'an authority (PEM) that is trusted for the server besides those of the system' },
    code: { value: 'CODE', about: 'enrolment code that lets N terminals in; ENROL_CODE holds it too; without it they ask and wait' },
    product: { value: 'P', default: 'A920', about: 'product code' },
    sn: { value: 'SN,SN', about: 'their serial numbers, in the place of --count' },
    seed: { value: 'S', about: 'the same seed makes the same terminals; without it 1, or the next one that no fleet here runs' },
    firmware: { value: 'V', default: '1.0.0', about: 'version at the first start' },
    'firmware-file': { value: 'F', about: 'bytes of that version, so that differences to it apply' },
    signers: { value: 'FILE', about: 'roots (PEM): an app is installed only with a detached signature below one of them' },
    flaky: { value: 'N', is: 'count', default: '0', about: 'so many have a flaw; every other of them fails its first attempt' },
    over: { value: 'X', is: ['tls', 'token'], about: 'tls (certificate) or token (plain connection)' },
    heartbeat: { value: 'S', is: 'count', about: "seconds between heartbeats, in the place of the product's" },
    screen: { value: 'WxH,WxH', is: 'sizes', about: "their screens in pixels, in turn, in the place of the product's" },
    speed: { value: 'B', is: 'count', about: 'bytes a second of an ordinary line' },
    state: { value: 'FILE', about: 'keeps versions and journals over a restart ("" for nowhere)' },
    spot: { about: 'reads what somebody does at a terminal, a line each: flash, uninstall, set or reset' },
    quiet: { about: 'prints only the counts' },
  },
};
