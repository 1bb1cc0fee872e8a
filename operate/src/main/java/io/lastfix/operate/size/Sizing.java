package io.lastfix.operate.size;

import java.util.ArrayList;
import java.util.List;

/** Computes what a fleet needs. */
public final class Sizing {
  private static final double MICROS = 1e6;
  private static final double MEGA = 1e6;
  private static final double GIGA = 1e9;
  private static final double TERA = 1e12;
  private static final double SECONDS_PER_DAY = 86_400;

  private final Fleet fleet;
  private final Figures figures;
  private final List<SizeLine> lines = new ArrayList<>();
  private double allNodes;
  private double allCores;
  private double allDisk;

  private Sizing(Fleet fleet, Figures figures) {
    this.fleet = fleet;
    this.figures = figures;
  }

  /** The lines: the load, each server's needs and nodes, and the cost. */
  public static List<SizeLine> of(Fleet fleet, Figures figures) {
    Sizing sizing = new Sizing(fleet, figures);
    sizing.load();
    sizing.gateway();
    sizing.kafka();
    sizing.flink();
    sizing.mongodb();
    sizing.total();
    return List.copyOf(sizing.lines);
  }

  private void line(String part, String what, double value, String unit, Basis basis) {
    lines.add(new SizeLine(part, what, value, unit, basis.toString()));
  }

  private Basis basis() {
    return new Basis(figures);
  }

  private void load() {
    line("load", "average", fleet.averageRequests(), "requests/s", basis());
    line("load", "peak", fleet.peakRequests(), "requests/s", basis());
    line("load", "peak", fleet.peakRequests() * fleet.bytes() / MEGA, "MB/s", basis());
    line(
        "load",
        "a day",
        fleet.averageRequests() * fleet.bytes() * SECONDS_PER_DAY / TERA,
        "TB",
        basis());
    line("load", "peak", fleet.peakRequests() * fleet.records(), "records/s", basis());
  }

  private void gateway() {
    Basis cpu = basis();
    double cores = coresOfRequests("gateway", cpu);
    line("gateway", "requests", cores, "cores", cpu);
    if (fleet.isReconnecting()) {
      Basis connections = basis();
      double of = fleet.peakRequests() * connections.of("gateway.connection-cpu-micros") / MICROS;
      line("gateway", "TLS connections", of, "cores", connections);
      cores += of;
    }
    Basis open = basis();
    double devices = (double) fleet.devices();
    double connections =
        fleet.isReconnecting()
            ? Math.min(devices, fleet.peakRequests() * open.of("gateway.idle-seconds"))
            : devices;
    line("gateway", "open connections, if clients keep them", connections, "connections", open);
    memory("gateway", "heap of devices, in each process", "gateway.device-heap-bytes");
    nodesWithSpares("gateway", cores);
    Basis each = basis().andLinesAbove();
    line(
        "gateway",
        "http.max-connections that this needs",
        // Without the last digits of a division by the interval.
        Math.ceil(connections / nodesFor(cores, each) - 1e-6),
        "connections",
        each);
  }

  /** Cores for the requests of the peak. */
  private double coresOfRequests(String part, Basis basis) {
    return fleet.peakRequests()
        * (basis.of(part + ".request-cpu-micros")
            + fleet.kilobytes() * basis.of(part + ".kilobyte-cpu-micros"))
        / MICROS;
  }

  /** A line of what all devices take together, each that number of bytes. */
  private void memory(String part, String what, String bytesOfADevice) {
    Basis basis = basis();
    line(part, what, fleet.devices() * basis.of(bytesOfADevice) / GIGA, "GB", basis);
  }

  /** The nodes of a part that keeps nothing on disk. */
  private void nodesWithSpares(String part, double cores) {
    Basis basis = basis().andLinesAbove();
    nodes(part, nodesFor(cores, basis) + basis.of(part + ".spare-nodes"), cores, 0, basis);
  }

  private void kafka() {
    Basis cpu = basis();
    double cores = coresOfRequests("kafka", cpu) * cpu.of("kafka.replicas");
    line("kafka", "requests, all replicas", cores, "cores", cpu);
    Basis disk = basis();
    // A heartbeat is a sign of life, and a record has one beside it.
    double record =
        fleet.isHeartbeats() ? 0 : fleet.bytes() + disk.of("kafka.record-overhead-bytes");
    double stored = (record + disk.of("kafka.sign-bytes")) * disk.of("kafka.replicas");
    line("kafka", "written at the peak", fleet.peakRequests() * stored / MEGA, "MB/s", disk);
    Basis kept = basis().and(disk);
    double bytes =
        fleet.averageRequests()
            * stored
            * SECONDS_PER_DAY
            * kept.of("kafka.retention-days")
            / kept.of("node.disk-use");
    line("kafka", "disks", bytes / TERA, "TB", kept);
    Basis nodes = basis().andLinesAbove();
    double count =
        Math.max(
            nodes.of("kafka.replicas"),
            Math.max(nodesFor(cores, nodes), Math.ceil(bytes / TERA / nodes.of("node.disk-tb"))));
    nodes("kafka", count, cores, bytes, nodes);
  }

  private void flink() {
    Basis cpu = basis();
    double cores =
        (fleet.peakRequests() * fleet.records() * cpu.of("flink.record-cpu-micros")
                + fleet.peakRequests() * cpu.of("flink.sign-of-life-cpu-micros"))
            / MICROS;
    line("flink", "both jobs", cores, "cores", cpu);
    memory("flink", "state of presence, in a checkpoint", "flink.device-state-bytes");
    nodesWithSpares("flink", cores);
  }

  private void mongodb() {
    Basis cpu = basis();
    double primary =
        (fleet.peakRequests() * fleet.records() * cpu.of("mongodb.record-cpu-micros")
                + presenceUpdates(cpu) * cpu.of("mongodb.presence-cpu-micros"))
            / MICROS;
    line("mongodb", "primaries", primary, "cores", cpu);
    Basis disk = basis();
    double member =
        (fleet.averageRequests()
                    * fleet.records()
                    * SECONDS_PER_DAY
                    * disk.of("mongodb.history-days")
                    * disk.of("mongodb.history-bytes")
                + fleet.devices() * disk.of("mongodb.device-bytes"))
            / disk.of("node.disk-use");
    double members = disk.of("mongodb.members");
    line("mongodb", "disks, all members", member * members / TERA, "TB", disk);
    Basis nodes = basis().andLinesAbove();
    double shards =
        Math.max(nodesFor(primary, nodes), Math.ceil(member / TERA / nodes.of("node.disk-tb")));
    line("mongodb", "shards", shards, "shards", nodes);
    // A secondary writes whatever its primary does.
    nodes("mongodb", shards * members, primary * members, member * members, nodes);
  }

  /**
   * Updates of presence a second. A device that sends no heartbeats says no interval: if it pushes
   * seldom, it goes offline after each push.
   */
  private double presenceUpdates(Basis basis) {
    boolean isOfflineBetween =
        !fleet.isHeartbeats() && fleet.intervalSeconds() > basis.of("flink.silence-seconds");
    return fleet.devices()
        / Math.max((double) fleet.intervalSeconds(), basis.of("mongodb.seen-seconds"))
        * (isOfflineBetween ? 2 : 1);
  }

  /** Returns how many nodes a load of that number of cores needs; 1 or more. */
  private double nodesFor(double cores, Basis basis) {
    return Math.max(1, Math.ceil(cores / (basis.of("node.cores") * basis.of("node.cpu-use"))));
  }

  private void nodes(String part, double count, double cores, double disk, Basis basis) {
    line(part, "nodes", count, "nodes", basis);
    allNodes += count;
    allCores += cores;
    allDisk += disk;
  }

  private void total() {
    line("total", "used at the peak", allCores, "cores", basis().andLinesAbove());
    line("total", "nodes", allNodes, "nodes", basis().andLinesAbove());
    line("total", "disks", allDisk / TERA, "TB", basis().andLinesAbove());
    Basis cost = basis().andLinesAbove();
    double price = allNodes * cost.of("node.price") + allDisk / TERA * cost.of("disk.price");
    line("total", "cost", price, "USD a month", cost);
  }
}
