package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Radio;
import java.util.List;

/**
 * Writes OMA Mobile Location Protocol 3.x: one record as a standard location report ({@code
 * slrep}), many as the {@code pos} elements of an immediate answer ({@code slia}).
 *
 * <p>Cells have the form that location servers use: an LTE cell as {@code lte_ci} in a {@code
 * serving_cell}, without its area; any other cell with an area as a {@code cgi}, which does not
 * contain the radio. Times have whole seconds.
 */
final class MlpEncoder implements RecordEncoder {
  private final MessageBuffer buffer = new MessageBuffer();

  @Override
  public byte[] encode(List<LocationRecord> records, long sequence) {
    if (records.isEmpty()) {
      throw new IllegalArgumentException("records: expected at least one");
    }
    String service = records.size() == 1 ? "slrep" : "slia";
    buffer.clear();
    buffer.plain("<svc_result ver=\"3.4.0\">\n<").plain(service).plain(" ver=\"3.4.0\">\n");
    for (LocationRecord record : records) {
      position(record);
    }
    if (records.size() > 1) {
      buffer.plain("  <result resid=\"0\">OK</result>\n");
    }
    return buffer.plain("</").plain(service).plain(">\n</svc_result>\n").toBytes();
  }

  private void position(LocationRecord record) {
    CellId cell = RecordEncoder.cellOf(record);
    buffer.plain("  <pos result_type=\"FINAL\">\n    <msid type=\"IMEI\">").xmlText(record.user());
    buffer.plain("</msid>\n    <pd><time utc_off=\"+0000\">").mlpTime(record.timestampMillis());
    buffer.plain("</time></pd>\n");
    if (cell.hasArea()) {
      buffer.plain("    <gsm_net_param><cgi>");
      network(cell).plain("<lac>").number(cell.area()).plain("</lac><cellid>").number(cell.cid());
      buffer.plain("</cellid></cgi></gsm_net_param>\n");
    } else {
      buffer.plain("    <serving_cell>");
      network(cell).plain("<lte_ci>").number(cell.cid()).plain("</lte_ci></serving_cell>\n");
    }
    buffer.plain("  </pos>\n");
  }

  private MessageBuffer network(CellId cell) {
    buffer.plain("<mcc>").number(cell.mcc()).plain("</mcc><mnc>").number(cell.mnc());
    return buffer.plain("</mnc>");
  }

  @Override
  public LocationRecord asRead(LocationRecord record) {
    CellId cell = RecordEncoder.cellOf(record);
    int step = MessageFormat.MLP.clockStepMillis();
    boolean lte = record.radio() == Radio.LTE || !cell.hasArea();
    return new LocationRecord(
        record.user(),
        lte ? new CellId(cell.mcc(), cell.mnc(), CellId.NO_AREA, cell.cid()) : cell,
        lte ? Radio.LTE : null,
        Math.floorDiv(record.timestampMillis(), step) * step);
  }
}
