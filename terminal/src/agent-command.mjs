/** @type {import('./command-line.mjs').Declared} */
export const agentCommand = {
  about: 'The agent of one terminal that runs Linux: enrols, connects, installs, answers commands.',
  options: {
    server: { value: 'URL', needed: true, about: 'the server' },
    sn: { value: 'SN', needed: true, about: 'serial number' },
    product: { value: 'P', needed: true, about: 'product code' },
    code: { value: 'CODE', about: 'enrolment code, at the first start' },
    'factory-cert': { value: 'FILE', about: 'certificates of the factory (PEM), in the place of a code' },
    'factory-key': { value: 'FILE', about: 'their key (PEM)' },
    ca: { value: 'FILE', about: 'an authority (PEM) that is trusted for the server besides those of the system' },
    data: { value: 'FOLDER', default: '/var/lib/mooring-agent', about: 'its key, certificate and journal' },
    firmware: { value: 'V', default: '0.0.0', about: 'version at the first start' },
    screen: { value: 'WxH', is: 'sizes', about: 'its screen in pixels, as it is looked at' },
    image: { value: 'FILE', about: 'the image that runs, so that differences to it apply' },
    installer: { value: 'FILE', default: '/usr/lib/mooring-agent/install', about: 'program that installs an image' },
    notifier: { value: 'FILE', about: 'program that shows a message' },
    asker: { value: 'FILE', about: 'program that asks whether to install: exit code 0 is yes, 1 no' },
    log: { value: 'FILE', about: 'log that is sent when the server asks for it' },
  },
};
