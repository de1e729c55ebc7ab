import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startKafka } from '@shortlist/local/backing/kafka';
import { findFreePorts } from '@shortlist/local/host/ports';
import { makeCertificates } from '../src/testing/certificates.ts';

export type SecuredKafka = {
  brokers: string;
  /** Of the account ana, who may do everything, and of former and next, who may do what an access control list says. */
  password: string;
  /** The certificate of its authority. */
  authority: string;
  stop: () => Promise<void>;
};

type Ports = { port: number; controllerPort: number; clientPort: number };

/** The lines of a broker with a listener that requires TLS and authentication, in addition to its own. */
const securedListener = (
  { port, controllerPort, clientPort }: Ports,
  { authority, keyAndCertificate }: { authority: string; keyAndCertificate: string },
  password: string,
): string[] => {
  const listeners = `BROKER://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`;
  const modules = {
    plain: `plain.PlainLoginModule required ${['ana', 'former', 'next'].map((name) => `user_${name}="${password}"`).join(' ')}`,
    'scram-sha-256': 'scram.ScramLoginModule required',
    'scram-sha-512': 'scram.ScramLoginModule required',
    // Kafka's own validator of unsigned tokens: the client sends the same messages for signed ones.
    oauthbearer: 'oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker"',
  };
  return [
    `listeners=${listeners},CLIENTS://127.0.0.1:${clientPort}`,
    `advertised.listeners=${listeners},CLIENTS://localhost:${clientPort}`,
    'listener.security.protocol.map=BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT,CLIENTS:SASL_SSL',
    `sasl.enabled.mechanisms=${Object.keys(modules).join(',').toUpperCase()}`,
    ...Object.entries(modules).map(
      ([mechanism, line]) =>
        `listener.name.clients.${mechanism}.sasl.jaas.config=org.apache.kafka.common.security.${line};`,
    ),
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users=User:ANONYMOUS;User:ana', // the broker itself has no name
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${keyAndCertificate}`,
    'ssl.truststore.type=PEM',
    `ssl.truststore.location=${authority}`,
  ];
};

/** Starts a broker that takes clients only with TLS and a password or token. */
export const startSecuredKafka = async (directory: string): Promise<SecuredKafka> => {
  const certificates = await makeCertificates(directory);
  const [port = 0, controllerPort = 0, clientPort = 0] = await findFreePorts(3);
  const password = randomBytes(8).toString('hex');
  const scram = (mechanism: string) => ['--add-scram', `${mechanism}=[name=ana,password=${password}]`];
  const server = await startKafka({
    directory: join(directory, 'broker'),
    port,
    controllerPort,
    print: () => undefined,
    more: {
      settings: securedListener({ port, controllerPort, clientPort }, certificates, password),
      format: [...scram('SCRAM-SHA-256'), ...scram('SCRAM-SHA-512')],
    },
  });
  return {
    brokers: `localhost:${clientPort}`,
    password,
    stop: server.stop,
    authority: await readFile(certificates.authority, 'utf8'),
  };
};
