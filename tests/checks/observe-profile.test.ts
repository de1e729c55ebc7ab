import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const PROCESSES = ['bff', 'identity', 'profile', 'billing', 'credits', 'worker'];
const TOOLS = ['prometheus', 'grafana', 'jaeger'];

type Service = {
  profiles?: string[];
  image?: string;
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string | number | null>;
};
type Scrape = { job_name: string; dns_sd_configs: { names: string[]; port: number }[] };

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
};
/** Every mount of the profile, as `source:target:mode`. */
const mountsOf = (all: typeof observed): string[] => all.flatMap(([, { volumes = [] }]) => volumes);
const observed = Object.entries(services).filter(([, { profiles = [] }]) => profiles.includes('observe'));

describe('the profile observe of docker-compose.yml', () => {
  it('has Prometheus, Grafana and Jaeger, each with the version of its image', () => {
    expect(observed.map(([name]) => name)).toEqual(TOOLS);
    for (const [name, { image }] of observed) expect(image, name).toMatch(/:v?\d+\.\d+\.\d+$/);
  });

  it('publishes its ports on the loopback address only, each of them as a setting', () => {
    for (const [name, { ports = [] }] of observed) {
      expect(ports.length, name).toBe(1);
      expect(ports[0], name).toMatch(/^127\.0\.0\.1:\$\{[A-Z]+_PORT:-50\d\d\}:\d+$/);
    }
  });

  it('mounts files that exist, read-only', () => {
    const mounted = mountsOf(observed).filter((one) => one.startsWith('./'));
    expect(mounted.length).toBe(5);
    for (const mount of mounted) {
      const [source = '', , mode] = mount.split(':');
      expect(existsSync(join(ROOT, source)), source).toBe(true);
      expect(mode).toBe('ro');
    }
  });

  it('lets no one log in to Grafana, and shows it to anonymous visitors', () => {
    expect(services['grafana']?.environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
      GF_AUTH_DISABLE_LOGIN_FORM: 'true',
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
    });
  });

  it('scrapes every process at its operator port, as the job that alerts and dashboards name', () => {
    const config = parse(read('deploy/observability/prometheus.yml')) as { scrape_configs: Scrape[] };
    const [scrape, ...more] = config.scrape_configs;
    expect(more).toEqual([]);
    expect(scrape?.job_name).toBe('shortlist');
    const ports = PROCESSES.map((name) => services[name]?.environment?.['OPS_PORT']);
    expect(scrape?.dns_sd_configs).toMatchObject([{ names: PROCESSES, port: 9090 }]);
    expect(new Set(ports)).toEqual(new Set([9090]));
  });

  it('loads the alerts and the dashboards of the chart', () => {
    const { rule_files: files } = parse(read('deploy/observability/prometheus.yml')) as {
      rule_files: string[];
    };
    const mounts = mountsOf(observed);
    expect(files.map((file) => mounts.find((mount) => mount.includes(`/etc/prometheus/${file}:`)))).toEqual([
      './deploy/k8s/observability/alerts.yaml:/etc/prometheus/alerts.yaml:ro',
    ]);
    const provider = parse(read('deploy/observability/grafana/dashboards.yml')) as {
      providers: { options: { path: string } }[];
    };
    const paths = provider.providers.map(({ options }) => options.path);
    expect(paths.map((path) => mounts.includes(`./deploy/k8s/observability/dashboards:${path}:ro`))).toEqual([
      true,
    ]);
    expect(globSync('deploy/k8s/observability/dashboards/*.json', { cwd: ROOT }).length).toBe(4);
  });
});
